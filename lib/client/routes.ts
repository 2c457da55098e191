// Made from the route objects by `npm run client`.

export type PaymentType = 'paypal' | 'prepaid' | 'invoice' | 'cash' | 'debit' | 'card' | 'bank'
export type Gender = 'm' | 'f' | 'd' | 'fam'
export type Flag = 0 | 1 | '0' | '1' | false | true
export type ClientType =
  | 'private'
  | 'gastronomy'
  | 'wholesale'
  | 'specializedtrade'
  | 'foodretailing'
  | 'reseller'
  | 'export'
  | 'online'
  | 'other'
export type OrderRelation = 'client' | 'billing' | 'delivery' | 'items' | 'documents' | 'user'
export type OrderStatus = 'new' | 'need_payment' | 'payed' | 'need_package' | 'in_delivery' | 'closed' | 'cancelled'
export type AddressType = 'invoice' | 'shipping' | 'geolocation'
export type NewOrder = {
  source?: string | null
  billing_type?: 'client' | 'address' | null
  billing_id?: number | string | null
  billing?: InlineDelivery | null
  delivery_type?: 'client' | 'address' | 'none' | null
  delivery_id?: number | string | null
  delivery?: InlineDelivery | null
  client_id?: number | string | null
  invoice_type?: 'net' | 'gross' | null
  payment_type?: 'paypal' | 'prepaid' | 'invoice' | 'cash' | 'debit' | 'card' | 'bank' | 'bill' | 'debiting' | null
  payment_period?: number | string | null
  items?: OrderedItem[] | null
  basket_uuid?: string | null
  basket?: string | null
  return_url?: string | null
  cancel_url?: string | null
  net?: string | number | null
  tax?: string | number | null
  gross?: string | number | null
  delivery_note_remark?: string | null
  client_remark?: string | null
  invoice_remark?: string | null
  note?: string | null
} & (
  | {
      billing_id: number | string
    }
  | {
      billing: InlineDelivery
    }
) &
  (
    | {
        items: OrderedItem[]
      }
    | {
        basket_uuid: string
      }
    | {
        basket: string
      }
  )
export type OrderedItem =
  | {
      item_type: 'wine'
      item_id: number | string
      quantity: number | string
    }
  | {
      item_type: 'product'
      item_id: number | string
      quantity: number | string
    }
  | {
      item_type: 'rebate'
      name: string
      net: string | number
      tax: string | number
      gross: string | number
      quantity?: number | string | null
    }
  | {
      item_type: 'package'
      item_id: number | string
    }
export type WineQuery =
  | (string | number | boolean)
  | {
      id?: string | number | boolean | null
      articlenumber?: string | number | boolean | null
      name?: string | number | boolean | null
      type?: string | number | boolean | null
      countrycode?: string | number | boolean | null
      region?: string | number | boolean | null
      vintage?: string | number | boolean | null
      place?: string | number | boolean | null
      quality?: string | number | boolean | null
      quality_note?: string | number | boolean | null
      taste_id?: string | number | boolean | null
      alcohol?: string | number | boolean | null
      sweetness?: string | number | boolean | null
      acid?: string | number | boolean | null
      bottlesize?: string | number | boolean | null
      drinktemperature?: string | number | boolean | null
      gross?: string | number | boolean | null
      net?: string | number | boolean | null
      tax?: string | number | boolean | null
      taxrate?: string | number | boolean | null
      description?: string | number | boolean | null
      terroir?: string | number | boolean | null
      maturation?: string | number | boolean | null
      bottling_type?: string | number | boolean | null
      cap?: string | number | boolean | null
      gtin?: string | number | boolean | null
      cuvee?: string | number | boolean | null
      bio?: string | number | boolean | null
      vegan?: string | number | boolean | null
      active?: string | number | boolean | null
      public?: string | number | boolean | null
      shop?: string | number | boolean | null
      winesearch?: string | number | boolean | null
      internal?: string | number | boolean | null
      network?: string | number | boolean | null
      topseller?: string | number | boolean | null
      nostock?: string | number | boolean | null
      nostocktext?: string | number | boolean | null
      sorting?: string | number | boolean | null
      weight?: string | number | boolean | null
      language?: string | number | boolean | null
      origin_id?: string | number | boolean | null
      winery_id?: string | number | boolean | null
      image?: string | number | boolean | null
      path_segment?: string | number | boolean | null
      pdf?: string | number | boolean | null
      expertisePdf?: string | number | boolean | null
      customers_id?: string | number | boolean | null
      cruser_id?: string | number | boolean | null
      crstamp?: string | number | boolean | null
      chstamp?: string | number | boolean | null
      hash?: string | number | boolean | null
      version?: string | number | boolean | null
      'winery.name'?: string | number | boolean | null
      allergenIds?: number | string | null
      grapetypeIds?: number | string | null
      categoryIds?: number | string | null
      winery?: string | number | boolean | null
    }
  | []
  | null
export type WineFilter =
  | {
      type?: (WineType | null) | (WineType | null)[]
      countrycode?: (string | number | null) | (string | number | null)[]
      region?: (number | string | null) | (number | string | null)[]
      vintage?: (number | string | null) | (number | string | null)[]
      place?: (string | number | null) | (string | number | null)[]
      quality?: (string | number | null) | (string | number | null)[]
      taste_id?:
        | (1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | null)
        | (1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | null)[]
      bottlesize?: (number | string | null) | (number | string | null)[]
      bottling_type?: (BottlingType | null) | (BottlingType | null)[]
      cap?: (Cap | null) | (Cap | null)[]
      cuvee?: (0 | 1 | null) | (0 | 1 | null)[]
      bio?: (0 | 1 | null) | (0 | 1 | null)[]
      vegan?: (0 | 1 | null) | (0 | 1 | null)[]
      public?: (0 | 1 | null) | (0 | 1 | null)[]
      shop?: (0 | 1 | null) | (0 | 1 | null)[]
      topseller?: (0 | 1 | null) | (0 | 1 | null)[]
      language?: (string | number | null) | (string | number | null)[]
      allergenIds?: (number | string | null) | (number | string | null)[]
      grapetypeIds?: (number | string | null) | (number | string | null)[]
      winery_id?: (number | string | null) | (number | string | null)[]
      categoryIds?: (number | string | null) | (number | string | null)[]
      path_segment?: (string | number | null) | (string | number | null)[]
    }
  | []
  | null
export type WineType =
  | 'red'
  | 'white'
  | 'rose'
  | 'rotling'
  | 'secco'
  | 'sparkling'
  | 'destilate'
  | 'grapeJuice'
  | 'wineBasedDrink'
  | 'spritzer'
  | 'vingris'
  | 'nonAlcoholic'
  | 'mulledWine'
  | 'general'
export type BottlingType = 'producer' | 'bottler' | 'estate' | 'castle' | 'purchase'
export type Cap = 'screw' | 'cork' | 'crownCap' | 'plastic' | 'glas'

/**
 * Every route by its path: what it is sent, what it answers, and the words it may refuse with.
 */
export interface Routes {
  /**
   * Tells whose session the presented token is and when it ends.
   */
  '/service/check/login': {
    body: Record<string, never>
    answer: {
      info: 'success'
      customers_id: number
      expires: string
    }
    errors: MerchantError
  }
  /**
   * Opens a session of 12 hours for an AuthID and an API token.
   */
  '/service/login': {
    body: {
      token: string
      authid: string
    }
    answer: {
      info: 'success'
      token: string
      refreshToken: ''
      expires: string
    }
    errors: CommonError | 'quota_exceeded' | 'credentials_invalid' | 'login_throttled'
  }
  /**
   * Ends the session whose token is presented, everywhere within a minute.
   */
  '/service/logout': {
    body: Record<string, never>
    answer: {
      info: 'success'
      customers_id: number
      expires: string
    }
    errors: MerchantError
  }
  /**
   * Tells which payment types the merchant has switched on.
   */
  '/service/customers/availablePayments': {
    body: Record<string, never>
    answer: {
      info: 'success'
      data: PaymentType[]
      payments: PaymentType[]
    }
    errors: MerchantError
  }
  /**
   * Shows the merchant itself, as pages and mails need it.
   */
  '/service/customers/getMy': {
    body: Record<string, never>
    answer: {
      info: 'success'
      data: Merchant
    }
    errors: MerchantError
  }
  /**
   * Brings the account of a registered client into force.
   */
  '/service/clients/activate': {
    /**
     * Must be given.
     */
    body: {
      hash?: string | null
      lostpassword_hash?: string | null
    }
    answer: {
      info: 'success'
      data: {
        id: number
        mail: string
      }
    }
    errors: MerchantError | 'hash_invalid'
  }
  /**
   * Changes the given fields of the client who is signed in; a new password ends its other sign-ins. Orders keep their own copy.
   */
  '/service/clients/edit': {
    body: {
      /**
       * Must be an object.
       */
      data: {
        gender?: Gender | null | ''
        title?: string | null
        salutation?: string | null
        first_name?: string | null
        last_name?: string | null
        company?: string | null
        department?: string | null
        address?: string | null
        address_supplement?: string | null
        zip?: string | null
        city?: string | null
        /**
         * Must be the code of a country in two letters.
         */
        countrycode?: (string | null) | ''
        phone?: string | null
        mobile?: string | null
        fax?: string | null
        www?: string | null
        newsletter?: Flag
        mail?: string
        username?: (string | null) | ''
        password?: (string | null) | ''
      }
    }
    answer: {
      info: 'success'
      data: ClientRecord
    }
    errors: MerchantError | 'client_token_missing' | 'client_token_invalid' | 'nothing_to_change' | 'mail_taken'
  }
  /**
   * Tells the id of the client whose mail it is, or false.
   */
  '/service/clients/exists': {
    body: {
      /**
       * Must be a mail address such as name@example.org.
       */
      mail?: string | null
    }
    answer: {
      info: 'success'
      data: false | number
    }
    errors: MerchantError
  }
  /**
   * Reads the client who is signed in.
   */
  '/service/clients/get': {
    body: Record<string, never>
    answer: {
      info: 'success'
      data: ClientRecord
    }
    errors: MerchantError | 'client_token_missing' | 'client_token_invalid'
  }
  /**
   * Makes a hash for a client who forgot the password; the shop mails it.
   */
  '/service/clients/getPasswordHash': {
    body: {
      mail: string
    }
    answer: {
      info: 'success'
      data: {
        hash: string
        expire: string
      }
    }
    errors: MerchantError
  }
  /**
   * Signs a client in for 12 hours.
   */
  '/service/clients/login': {
    body: {
      mail: string
      password: string
      caller?: string | null
    }
    answer: {
      info: 'success'
      data: {
        id: number
        mail: string
        token: string
        expires: string
      }
    }
    errors: MerchantError | 'login_failed' | 'client_login_throttled'
  }
  /**
   * Ends the sign-in whose token is presented, everywhere within a minute.
   */
  '/service/clients/logout': {
    body: Record<string, never>
    answer: {
      info: 'success'
      data: {
        id: number
      }
    }
    errors: MerchantError | 'client_token_missing' | 'client_token_invalid'
  }
  /**
   * Reads one order of the client who is signed in.
   */
  '/service/clients/orders/get': {
    body: {
      id?: number | string | null
      uuid?: string | null
      /**
       * some of client, billing, delivery, items, documents, user; as text separated by commas
       */
      include?: string | (OrderRelation | '')[] | null
    }
    answer: {
      info: 'success'
      data: Order
    }
    errors:
      | MerchantError
      | 'client_token_missing'
      | 'client_token_invalid'
      | 'missing_identifier'
      | 'identifier_conflict'
      | 'order_not_found'
  }
  /**
   * Lists the orders of the client who is signed in, the newest first.
   */
  '/service/clients/orders/getAll': {
    body: {
      /**
       * some of client, billing, delivery, items, documents, user; as text separated by commas
       */
      include?: string | (OrderRelation | '')[] | null
      page?: number | string | null
      pageSize?: number | string | null
      start?: number | string | null
      short?: Flag | null
    }
    answer: {
      info: 'success'
      data: Order[]
      totalCount: number
      pages: Pages
    }
    errors: MerchantError | 'client_token_missing' | 'client_token_invalid'
  }
  /**
   * Registers a client; its account waits for the hash, which the shop mails, to come back.
   */
  '/service/clients/register': {
    body: {
      data: {
        mail: string
        password: string
        name?: string | null
        gender?: Gender | null | ''
        title?: string | null
        salutation?: string | null
        first_name?: string | null
        last_name?: string | null
        company?: string | null
        department?: string | null
        address?: string | null
        address_supplement?: string | null
        zip?: string | null
        city?: string | null
        /**
         * Must be the code of a country in two letters.
         */
        countrycode?: (string | null) | ''
        phone?: string | null
        mobile?: string | null
        fax?: string | null
        www?: string | null
        newsletter?: Flag
      }
    }
    answer: {
      info: 'success'
      data: {
        id: number
        mail: string
        gender: Gender | null
        title: string | null
        first_name: string | null
        last_name: string | null
        company: string | null
        lostpassword_hash: string
        expire: string
      }
    }
    errors: MerchantError | 'mail_taken'
  }
  /**
   * Sets a new password by a hash, once; whoever was signed in is not any more.
   */
  '/service/clients/resetPassword': {
    /**
     * Must be given.
     */
    body: {
      hash?: string | null
      lostpassword_hash?: string | null
      password: string
    }
    answer: {
      info: 'success'
      data: {
        id: number
        mail: string
      }
    }
    errors: MerchantError | 'hash_invalid'
  }
  /**
   * Tells whose a hash is and until when it counts.
   */
  '/service/clients/validatePasswordHash': {
    /**
     * Must be given.
     */
    body: {
      hash?: string | null
      lostpassword_hash?: string | null
    }
    answer: {
      info: 'success'
      data: {
        id: number
        mail: string
        expire: string
      }
    }
    errors: MerchantError | 'hash_invalid'
  }
  /**
   * Stores an address, of a client or on its own.
   */
  '/service/addresses/add': {
    body: {
      data: NewAddress
    }
    answer: {
      info: 'success'
      data: Address
    }
    errors: MerchantError | 'client_token_invalid' | 'reference_not_found'
  }
  /**
   * Deletes an address and returns it as it was. Orders keep their own copy.
   */
  '/service/addresses/delete': {
    body: {
      id: number | string
    }
    answer: {
      info: 'success'
      data: Address
    }
    errors: MerchantError | 'client_token_invalid' | 'address_not_found'
  }
  /**
   * Changes the given fields of an address.
   */
  '/service/addresses/edit': {
    body: {
      id: number | string
      data: AddressChange
    }
    answer: {
      info: 'success'
      data: Address
    }
    errors:
      | MerchantError
      | 'client_token_invalid'
      | 'address_not_found'
      | 'nothing_to_change'
      | 'reference_not_found'
      | 'version_conflict'
  }
  /**
   * Reads one address.
   */
  '/service/addresses/get': {
    body: {
      id: number | string
    }
    answer: {
      info: 'success'
      data: Address
    }
    errors: MerchantError | 'client_token_invalid' | 'address_not_found'
  }
  /**
   * Lists addresses by id, of all clients or of one, of all types or of one.
   */
  '/service/addresses/getAll': {
    body: {
      client_id?: number | string | null
      type?: AddressType | null
      page?: number | string | null
      pageSize?: number | string | null
      start?: number | string | null
    }
    answer: {
      info: 'success'
      data: Address[]
      totalCount: number
      pages: Pages
    }
    errors: MerchantError | 'client_token_invalid'
  }
  /**
   * Lists the addresses of one client by id.
   */
  '/service/addresses/getByClient': {
    body: {
      client_id: number | string
      page?: number | string | null
      pageSize?: number | string | null
      start?: number | string | null
    }
    answer: {
      info: 'success'
      data: Address[]
      totalCount: number
      pages: Pages
    }
    errors: MerchantError | 'client_token_invalid'
  }
  /**
   * Opens an empty basket.
   */
  '/service/baskets/add': {
    body: Record<string, never>
    answer: {
      info: 'success'
      data: Basket
    }
    errors: MerchantError
  }
  /**
   * Puts an item into a basket; more of an item that is in it already raises its quantity.
   */
  '/service/baskets/addItem': {
    body: {
      uuid: string
      data: NewBasketItem
      inshop?: Flag | null
    }
    answer: {
      info: 'success'
      data: Basket
    }
    errors: MerchantError | 'basket_not_found' | 'item_not_found' | 'item_unavailable' | 'insufficient_stock'
  }
  /**
   * Takes an item out of its basket.
   */
  '/service/baskets/deleteItem': {
    body: {
      id: number | string
    }
    answer: {
      info: 'success'
      data: Basket
    }
    errors: MerchantError | 'basket_not_found' | 'item_not_found'
  }
  /**
   * Puts other items in the place of all items of a basket.
   */
  '/service/baskets/edit': {
    body: {
      uuid: string
      data: {
        basketItems: NewBasketItem[]
      }
      inshop?: Flag | null
    }
    answer: {
      info: 'success'
      data: Basket
    }
    errors: MerchantError | 'basket_not_found' | 'item_not_found' | 'item_unavailable' | 'insufficient_stock'
  }
  /**
   * Changes the quantity of an item in its basket.
   */
  '/service/baskets/editItem': {
    body: {
      id: number | string
      data: {
        quantity: number | string
      }
      inshop?: Flag | null
    }
    answer: {
      info: 'success'
      data: Basket
    }
    errors: MerchantError | 'basket_not_found' | 'item_not_found' | 'item_unavailable' | 'insufficient_stock'
  }
  /**
   * Reads a basket with its items as they are now; a basket whose order is on its way is gone.
   */
  '/service/baskets/get': {
    body: {
      uuid: string
    }
    answer: {
      info: 'success'
      data: Basket
    }
    errors: MerchantError | 'basket_not_found'
  }
  /**
   * Looks for a discount code; the service has none.
   */
  '/service/campaigns/find': {
    body: {
      hash?: string | null
      basket_uuid?: string | null
    }
    answer: {
      info: 'success'
      data: Record<string, never>
    }
    errors: MerchantError | 'campaign_not_found'
  }
  /**
   * Tells what sending a number of bottles costs, by the rule that prices orders.
   */
  '/service/packaging/find': {
    body: {
      type?: 'bottles' | null
      bottles: number | string
      net?: number | string | null
      tax?: number | string | null
      gross?: number | string | null
      invoice_type?: 'net' | 'gross' | null
    }
    answer: {
      info: 'success'
      data: Freight
      summary: {
        freightfreelimit: string | null
      }
    }
    errors: MerchantError | 'package_not_found'
  }
  /**
   * Lists the merchant's packages.
   */
  '/service/packaging/getAll': {
    body: Record<string, never>
    answer: {
      info: 'success'
      data: Package[]
      totalCount: number
      pages: Pages
    }
    errors: MerchantError
  }
  /**
   * Places an order; the catalogue decides the prices.
   */
  '/service/orders/add': {
    body: {
      data: NewOrder
      dry_run?: Flag | null
      inshop?: Flag | null
    }
    answer: {
      info: 'success'
      data: Order
      targetUrl?: string
      payment?: Payment
    }
    errors:
      | MerchantError
      | 'client_token_invalid'
      | 'identifier_conflict'
      | 'basket_already_ordered'
      | 'order_cancelled'
      | 'order_paid'
      | 'order_not_cancellable'
      | 'payment_in_progress'
      | 'basket_not_found'
      | 'empty_order'
      | 'reference_not_found'
      | 'item_not_found'
      | 'item_unavailable'
      | 'insufficient_stock'
      | 'rebate_invalid'
      | 'rebate_exceeds_total'
      | 'price_mismatch'
      | 'price_inconsistent'
      | 'payment_type_not_allowed'
      | 'redirect_url_invalid'
      | 'idempotency_key_reused'
      | 'payment_provider_error'
      | 'payment_provider_timeout'
  }
  /**
   * Reads one order by id or uuid, with the relations asked for.
   */
  '/service/orders/get': {
    body: {
      id?: number | string | null
      uuid?: string | null
      /**
       * some of client, billing, delivery, items, documents, user; as text separated by commas
       */
      include?: string | (OrderRelation | '')[] | null
    }
    answer: {
      info: 'success'
      data: Order
    }
    errors: MerchantError | 'client_token_invalid' | 'missing_identifier' | 'identifier_conflict' | 'order_not_found'
  }
  /**
   * Lists orders, the newest first.
   */
  '/service/orders/getAll': {
    body: {
      /**
       * some of client, billing, delivery, items, documents, user; as text separated by commas
       */
      include?: string | (OrderRelation | '')[] | null
      /**
       * Must be limited to status, paid, payment_type, client_id, source.
       */
      filter?:
        | {
            status?: OrderStatus | OrderStatus[]
            paid?: Flag | Flag[]
            payment_type?:
              | ('paypal' | 'prepaid' | 'invoice' | 'cash' | 'debit' | 'card' | 'bank' | 'bill' | 'debiting')
              | ('paypal' | 'prepaid' | 'invoice' | 'cash' | 'debit' | 'card' | 'bank' | 'bill' | 'debiting')[]
            client_id?: (number | string) | (number | string)[]
            source?: string | string[]
          }
        | []
        | null
      /**
       * The first day on which the orders were placed, as `2026-01-31`, in UTC.
       */
      from?: (string | null) | ''
      /**
       * The last day on which the orders were placed, as `2026-01-31`, in UTC.
       */
      to?: (string | null) | ''
      /**
       * The number or uuid of an order, or a part of a name or mail of whom it is billed or sent to, in either case.
       */
      query?: string | null
      page?: number | string | null
      pageSize?: number | string | null
      start?: number | string | null
      short?: Flag | null
    }
    answer: {
      info: 'success'
      data: Order[]
      totalCount: number
      pages: Pages
    }
    errors: MerchantError | 'client_token_invalid'
  }
  /**
   * Marks an order as read: sets `touched` to the present time.
   */
  '/service/orders/touch': {
    body: {
      id?: number | string | null
      uuid?: string | null
    }
    answer: {
      info: 'success'
      data: Order
    }
    errors: MerchantError | 'client_token_invalid' | 'missing_identifier' | 'identifier_conflict' | 'order_not_found'
  }
  /**
   * Cancels an order that is not paid.
   */
  '/service/orders/checkout/cancel': {
    body: {
      id?: number | string | null
      uuid?: string | null
      order_id?: string | null
    }
    answer: {
      info: 'success'
      data: Order
    }
    errors:
      | MerchantError
      | 'client_token_invalid'
      | 'missing_identifier'
      | 'identifier_conflict'
      | 'order_not_found'
      | 'order_paid'
      | 'order_not_cancellable'
      | 'payment_in_progress'
      | 'payment_provider_error'
      | 'payment_provider_timeout'
  }
  /**
   * Finishes an order whose payment was made with an external payment method.
   */
  '/service/orders/checkout/finish': {
    body: {
      payment_type: 'paypal' | 'prepaid' | 'invoice' | 'cash' | 'debit' | 'card' | 'bank' | 'bill' | 'debiting'
      payment_id?: string | null
      payment_uuid?: string | null
      order_id?: string | null
      order_uuid?: string | null
      external_id: string
      payer_id: string
    }
    answer: {
      info: 'success'
      data: Order
      payment: Payment
    }
    errors:
      | MerchantError
      | 'missing_identifier'
      | 'identifier_conflict'
      | 'order_not_found'
      | 'order_cancelled'
      | 'order_paid'
      | 'payment_in_progress'
      | 'payment_mismatch'
      | 'payment_not_approved'
      | 'payment_declined'
      | 'amount_mismatch'
      | 'payment_provider_error'
      | 'payment_provider_timeout'
  }
  /**
   * Cancels an order that is not paid; orders/checkout/cancel under its other name.
   */
  '/service/checkouts/cancel': {
    body: {
      id?: number | string | null
      uuid?: string | null
      order_id?: string | null
    }
    answer: {
      info: 'success'
      data: Order
    }
    errors:
      | MerchantError
      | 'client_token_invalid'
      | 'missing_identifier'
      | 'identifier_conflict'
      | 'order_not_found'
      | 'order_paid'
      | 'order_not_cancellable'
      | 'payment_in_progress'
      | 'payment_provider_error'
      | 'payment_provider_timeout'
  }
  /**
   * Finishes the order of a payment, named by its uuid or its external id; pending as long as the outcome is not known.
   */
  '/service/payments/execute': {
    body: {
      uuid: string
    }
    answer: {
      info: 'success'
      data: ExecutedPayment
      order: Order
    }
    errors:
      | MerchantError
      | 'payment_not_found'
      | 'order_cancelled'
      | 'order_paid'
      | 'payment_not_approved'
      | 'payment_declined'
      | 'amount_mismatch'
  }
  /**
   * Lists publicly visible wines.
   */
  '/wines/getAll': {
    body: {
      page?: number | string | null
      pageSize?: number | string | null
      start?: number | string | null
      short?: Flag | null
      max?: number | string | null
      query?: WineQuery
      filter?: WineFilter
      /**
       * one of id, name, type, countrycode, region, place, vintage, quality, bottlesize, gross, winery_id, topseller, sorting, crstamp, chstamp, then nothing, ASC or DESC; up to 5, separated by commas
       */
      orderBy?: SortOrder<PublicWineSortField> | '' | null
      winery_id?: number | string | null
    }
    answer: {
      info: 'success'
      data: PublicWine[]
      totalCount: number
      pages: Pages
    }
    errors: CommonError
  }
  /**
   * Tells the distinct values of fields over publicly visible wines.
   */
  '/wines/getFilters': {
    body: {
      filter:
        | (
            | 'type'
            | 'countrycode'
            | 'region'
            | 'vintage'
            | 'place'
            | 'quality'
            | 'taste_id'
            | 'bottlesize'
            | 'bottling_type'
            | 'cap'
            | 'cuvee'
            | 'bio'
            | 'vegan'
            | 'public'
            | 'shop'
            | 'topseller'
            | 'language'
            | 'allergenIds'
            | 'grapetypeIds'
            | 'winery_id'
            | 'categoryIds'
            | 'path_segment'
          )[]
        | string
    }
    answer: {
      info: 'success'
      data: {
        [k: string]: (string | number)[]
      }
      cut?: string[]
    }
    errors: CommonError
  }
  /**
   * Reads one publicly visible wine.
   */
  '/wines/getPublic': {
    body: {
      id?: number | string | null
      hash?: string | null
      path_segment?: string | null
    }
    answer: {
      info: 'success'
      data: PublicWine
    }
    errors: CommonError | 'missing_identifier' | 'identifier_conflict' | 'wine_not_found'
  }
  /**
   * Searches publicly visible wines.
   */
  '/wines/search': {
    body: {
      page?: number | string | null
      pageSize?: number | string | null
      start?: number | string | null
      short?: Flag | null
      max?: number | string | null
      query?: WineQuery
      filter?: WineFilter
      /**
       * one of id, name, type, countrycode, region, place, vintage, quality, bottlesize, gross, winery_id, topseller, sorting, crstamp, chstamp, then nothing, ASC or DESC; up to 5, separated by commas
       */
      orderBy?: SortOrder<PublicWineSortField> | '' | null
      winery_id?: number | string | null
    }
    answer: {
      info: 'success'
      data: PublicWine[]
      totalCount: number
      pages: Pages
    }
    errors: CommonError
  }
  /**
   * Adds a wine.
   */
  '/service/wines/add': {
    body: {
      data: NewWine
    }
    answer: {
      info: 'success'
      data: Wine
    }
    errors: MerchantError | 'reference_not_found' | 'price_inconsistent' | 'slug_taken'
  }
  /**
   * Changes the given fields of a wine.
   */
  '/service/wines/edit': {
    body: {
      id: number | string
      data: WineChange
    }
    answer: {
      info: 'success'
      data: Wine
    }
    errors:
      | MerchantError
      | 'wine_not_found'
      | 'nothing_to_change'
      | 'version_conflict'
      | 'reference_not_found'
      | 'price_inconsistent'
      | 'slug_taken'
  }
  /**
   * Reads one wine by id or path_segment; with inshop only one that its shop sells. Its fields are at the top level, too.
   */
  '/service/wines/get': {
    body: {
      id?: number | string | null
      path_segment?: string | null
      inshop?: Flag | null
    }
    answer: {
      info: 'success'
      data: ShownWine
      wine: ShownWine
      id: number
      articlenumber: string | null
      name: string
      type: WineType
      countrycode: string
      region: number
      vintage: number | null
      place: string | null
      quality: string | null
      quality_note: string | null
      taste_id: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | null
      alcohol: string | null
      sweetness: string | null
      acid: string | null
      bottlesize: string
      drinktemperature: string | null
      gross: string
      net: string
      tax: string
      taxrate: number
      description: string | null
      terroir: string | null
      maturation: string | null
      bottling_type: BottlingType | null
      cap: Cap | null
      gtin: string | null
      cuvee: 0 | 1
      bio: 0 | 1
      vegan: 0 | 1
      active: 0 | 1
      public: 0 | 1
      shop: 0 | 1
      winesearch: 0 | 1
      internal: 0 | 1
      network: 0 | 1
      topseller: 0 | 1
      nostock: 0 | 1
      nostocktext: string | null
      sorting: number
      weight: number
      language: string
      allergenIds: (1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14)[]
      grapetypeIds: number[]
      origin_id: number | null
      winery_id: number | null
      image: string | null
      categoryIds: number[]
      prices: {
        wine_id: number
        price_range_id: number
        priceRangeName: string
        taxrate: number
        net: string
        tax: string
        gross: string
      }[]
      winery: Winery | null
      translations: {
        id: number
        language: string
        name: string
        path_segment: string
      }[]
      path_segment: string
      pdf: string | null
      expertisePdf: string | null
      customers_id: number
      cruser_id: number
      crstamp: string
      chstamp: string
      hash: string
      version: number
      price: string
      categories: {
        id: number
        name: string
      }[]
      expertiseStatus: 'OK' | null
    }
    errors: MerchantError | 'missing_identifier' | 'identifier_conflict' | 'wine_not_found'
  }
  /**
   * Lists the merchant's wines.
   */
  '/service/wines/getAll': {
    body: {
      page?: number | string | null
      pageSize?: number | string | null
      start?: number | string | null
      short?: Flag | null
      max?: number | string | null
      query?: WineQuery
      filter?: WineFilter
      /**
       * a wine field, then nothing, ASC or DESC; up to 5, separated by commas
       */
      orderBy?: SortOrder<WineSortField> | '' | null
      cluster?: (string | unknown[]) | [] | null
      clusterCounts?: Flag | null
      inshop?: Flag | null
      inwinelist?: Flag | null
      qrcodes?: Flag | null
    }
    answer: {
      info: 'success'
      data: ListedWine[]
      totalCount: number
      pages: Pages
      wines: ListedWine[]
      pagination: Pages
      clusters?: {
        [k: string]:
          | (string | number)[]
          | {
              id: number
              name: string
            }[]
      }
      clusterCounts?: {
        [k: string]: {
          [k: string]: number
        }
      }
    }
    errors: MerchantError
  }
  /**
   * @deprecated
   * Lists the wines of a category. Use getAll with a query on categoryIds.
   */
  '/service/wines/getByCategory': {
    /**
     * Must be the same as sortDirection, or left out.
     */
    body: {
      page?: number | string | null
      pageSize?: number | string | null
      start?: number | string | null
      short?: Flag | null
      max?: number | string | null
      query?: WineQuery
      filter?: WineFilter
      /**
       * a wine field, then nothing, ASC or DESC; up to 5, separated by commas
       */
      orderBy?: SortOrder<WineSortField> | '' | null
      cluster?: (string | unknown[]) | [] | null
      clusterCounts?: Flag | null
      inshop?: Flag | null
      id?: number | string | null
      path_segment?: string | null
      sortBy?:
        | 'id'
        | 'articlenumber'
        | 'name'
        | 'type'
        | 'countrycode'
        | 'region'
        | 'vintage'
        | 'place'
        | 'quality'
        | 'quality_note'
        | 'taste_id'
        | 'alcohol'
        | 'sweetness'
        | 'acid'
        | 'bottlesize'
        | 'drinktemperature'
        | 'gross'
        | 'net'
        | 'tax'
        | 'taxrate'
        | 'description'
        | 'terroir'
        | 'maturation'
        | 'bottling_type'
        | 'cap'
        | 'gtin'
        | 'cuvee'
        | 'bio'
        | 'vegan'
        | 'active'
        | 'public'
        | 'shop'
        | 'winesearch'
        | 'internal'
        | 'network'
        | 'topseller'
        | 'nostock'
        | 'nostocktext'
        | 'sorting'
        | 'weight'
        | 'language'
        | 'origin_id'
        | 'winery_id'
        | 'image'
        | 'path_segment'
        | 'pdf'
        | 'expertisePdf'
        | 'customers_id'
        | 'cruser_id'
        | 'crstamp'
        | 'chstamp'
        | 'hash'
        | 'version'
        | null
      sortDirection?: 'ASC' | 'DESC' | 'asc' | 'desc' | null
      sortDirectition?: 'ASC' | 'DESC' | 'asc' | 'desc' | null
    }
    answer: {
      info: 'success'
      data: ShownWine[]
      totalCount: number
      pages: Pages
      wines: ShownWine[]
      pagination: Pages
      clusters?: {
        [k: string]:
          | (string | number)[]
          | {
              id: number
              name: string
            }[]
      }
      clusterCounts?: {
        [k: string]: {
          [k: string]: number
        }
      }
    }
    errors: MerchantError | 'missing_identifier'
  }
  /**
   * @deprecated
   * Lists the wines of a type. Use getAll with a query on type.
   */
  '/service/wines/getByType': {
    body: {
      type: WineType
      page?: number | string | null
      pageSize?: number | string | null
      start?: number | string | null
      max?: number | string | null
      short?: Flag | null
      cluster?: (string | unknown[]) | [] | null
      clusterCounts?: Flag | null
      inshop?: Flag | null
    }
    answer: {
      info: 'success'
      data: ShownWine[]
      totalCount: number
      pages: Pages
      wines: ShownWine[]
      pagination: Pages
      clusters?: {
        [k: string]:
          | (string | number)[]
          | {
              id: number
              name: string
            }[]
      }
      clusterCounts?: {
        [k: string]: {
          [k: string]: number
        }
      }
    }
    errors: MerchantError
  }
  /**
   * Makes sure that a wine's expertise PDF is there and up to date, and tells where.
   */
  '/service/wines/getExpertise': {
    body: {
      id: number | string
    }
    answer: {
      info: 'success'
      pdf: string
      templateFile: string
      'template-date': number
      'wine-date': number
      'existingPDF-data': number
      action: 'created' | 'updated' | 'none'
    }
    errors: MerchantError | 'wine_not_found'
  }
  /**
   * Searches the merchant's wines.
   */
  '/service/wines/search': {
    body: {
      page?: number | string | null
      pageSize?: number | string | null
      start?: number | string | null
      short?: Flag | null
      max?: number | string | null
      query?: WineQuery
      filter?: WineFilter
      /**
       * a wine field, then nothing, ASC or DESC; up to 5, separated by commas
       */
      orderBy?: SortOrder<WineSortField> | '' | null
      cluster?: (string | unknown[]) | [] | null
      clusterCounts?: Flag | null
      inshop?: Flag | null
      inwinelist?: Flag | null
      qrcodes?: Flag | null
    }
    answer: {
      info: 'success'
      data: ListedWine[]
      totalCount: number
      pages: Pages
      wines: ListedWine[]
      pagination: Pages
      clusters?: {
        [k: string]:
          | (string | number)[]
          | {
              id: number
              name: string
            }[]
      }
      clusterCounts?: {
        [k: string]: {
          [k: string]: number
        }
      }
    }
    errors: MerchantError
  }
  /**
   * Reads one category by id or path_segment.
   */
  '/service/categories/get': {
    body: {
      id?: number | string | null
      path_segment?: string | null
    }
    answer: {
      info: 'success'
      data: Category
      category: Category
    }
    errors: MerchantError | 'missing_identifier' | 'identifier_conflict' | 'category_not_found'
  }
  /**
   * Lists the merchant's categories.
   */
  '/service/categories/getAll': {
    body: {
      page?: number | string | null
      pageSize?: number | string | null
      start?: number | string | null
      short?: Flag | null
      max?: number | string | null
      /**
       * one of id, name, path_segment, sorting, then nothing, ASC or DESC; up to 5, separated by commas
       */
      orderBy?: SortOrder<'id' | 'name' | 'path_segment' | 'sorting'> | '' | null
      inshop?: Flag | null
    }
    answer: {
      info: 'success'
      data: Category[]
      totalCount: number
      pages: Pages
      categories: Category[]
    }
    errors: MerchantError
  }
  /**
   * Lists the wines of a category; none when there is no such category.
   */
  '/service/categories/getWines': {
    /**
     * Must be the same as sortDirection, or left out.
     */
    body: {
      page?: number | string | null
      pageSize?: number | string | null
      start?: number | string | null
      short?: Flag | null
      max?: number | string | null
      query?: WineQuery
      filter?: WineFilter
      /**
       * a wine field, then nothing, ASC or DESC; up to 5, separated by commas
       */
      orderBy?: SortOrder<WineSortField> | '' | null
      cluster?: (string | unknown[]) | [] | null
      clusterCounts?: Flag | null
      inshop?: Flag | null
      id?: number | string | null
      path_segment?: string | null
      sortBy?:
        | 'id'
        | 'articlenumber'
        | 'name'
        | 'type'
        | 'countrycode'
        | 'region'
        | 'vintage'
        | 'place'
        | 'quality'
        | 'quality_note'
        | 'taste_id'
        | 'alcohol'
        | 'sweetness'
        | 'acid'
        | 'bottlesize'
        | 'drinktemperature'
        | 'gross'
        | 'net'
        | 'tax'
        | 'taxrate'
        | 'description'
        | 'terroir'
        | 'maturation'
        | 'bottling_type'
        | 'cap'
        | 'gtin'
        | 'cuvee'
        | 'bio'
        | 'vegan'
        | 'active'
        | 'public'
        | 'shop'
        | 'winesearch'
        | 'internal'
        | 'network'
        | 'topseller'
        | 'nostock'
        | 'nostocktext'
        | 'sorting'
        | 'weight'
        | 'language'
        | 'origin_id'
        | 'winery_id'
        | 'image'
        | 'path_segment'
        | 'pdf'
        | 'expertisePdf'
        | 'customers_id'
        | 'cruser_id'
        | 'crstamp'
        | 'chstamp'
        | 'hash'
        | 'version'
        | null
      sortDirection?: 'ASC' | 'DESC' | 'asc' | 'desc' | null
      sortDirectition?: 'ASC' | 'DESC' | 'asc' | 'desc' | null
    }
    answer: {
      info: 'success'
      data: ShownWine[]
      totalCount: number
      pages: Pages
      wines: ShownWine[]
      pagination: Pages
      clusters?: {
        [k: string]:
          | (string | number)[]
          | {
              id: number
              name: string
            }[]
      }
      clusterCounts?: {
        [k: string]: {
          [k: string]: number
        }
      }
    }
    errors: MerchantError | 'missing_identifier' | 'identifier_conflict'
  }
  /**
   * Lists the wines of a category, with the category beside.
   */
  '/service/categories/getWithWines': {
    /**
     * Must be the same as sortDirection, or left out.
     */
    body: {
      page?: number | string | null
      pageSize?: number | string | null
      start?: number | string | null
      short?: Flag | null
      max?: number | string | null
      query?: WineQuery
      filter?: WineFilter
      /**
       * a wine field, then nothing, ASC or DESC; up to 5, separated by commas
       */
      orderBy?: SortOrder<WineSortField> | '' | null
      cluster?: (string | unknown[]) | [] | null
      clusterCounts?: Flag | null
      inshop?: Flag | null
      id?: number | string | null
      path_segment?: string | null
      sortBy?:
        | 'id'
        | 'articlenumber'
        | 'name'
        | 'type'
        | 'countrycode'
        | 'region'
        | 'vintage'
        | 'place'
        | 'quality'
        | 'quality_note'
        | 'taste_id'
        | 'alcohol'
        | 'sweetness'
        | 'acid'
        | 'bottlesize'
        | 'drinktemperature'
        | 'gross'
        | 'net'
        | 'tax'
        | 'taxrate'
        | 'description'
        | 'terroir'
        | 'maturation'
        | 'bottling_type'
        | 'cap'
        | 'gtin'
        | 'cuvee'
        | 'bio'
        | 'vegan'
        | 'active'
        | 'public'
        | 'shop'
        | 'winesearch'
        | 'internal'
        | 'network'
        | 'topseller'
        | 'nostock'
        | 'nostocktext'
        | 'sorting'
        | 'weight'
        | 'language'
        | 'origin_id'
        | 'winery_id'
        | 'image'
        | 'path_segment'
        | 'pdf'
        | 'expertisePdf'
        | 'customers_id'
        | 'cruser_id'
        | 'crstamp'
        | 'chstamp'
        | 'hash'
        | 'version'
        | null
      sortDirection?: 'ASC' | 'DESC' | 'asc' | 'desc' | null
      sortDirectition?: 'ASC' | 'DESC' | 'asc' | 'desc' | null
    }
    answer: {
      info: 'success'
      data: ShownWine[]
      totalCount: number
      pages: Pages
      wines: ShownWine[]
      pagination: Pages
      category: Category
      clusters?: {
        [k: string]:
          | (string | number)[]
          | {
              id: number
              name: string
            }[]
      }
      clusterCounts?: {
        [k: string]: {
          [k: string]: number
        }
      }
    }
    errors: MerchantError | 'missing_identifier' | 'identifier_conflict' | 'category_not_found'
  }
  /**
   * Reads one winery by id or path_segment.
   */
  '/service/wineries/get': {
    body: {
      id?: number | string | null
      path_segment?: string | null
      inshop?: Flag | null
    }
    answer: {
      info: 'success'
      data: Winery
    }
    errors: MerchantError | 'missing_identifier' | 'identifier_conflict' | 'winery_not_found'
  }
  /**
   * Lists the merchant's wineries.
   */
  '/service/wineries/getAll': {
    body: {
      page?: number | string | null
      pageSize?: number | string | null
      start?: number | string | null
      short?: Flag | null
      max?: number | string | null
      /**
       * one of id, name, company, city, region, countrycode, charindex, sorting, chstamp, then nothing, ASC or DESC; up to 5, separated by commas
       */
      orderBy?:
        | SortOrder<'id' | 'name' | 'company' | 'city' | 'region' | 'countrycode' | 'charindex' | 'sorting' | 'chstamp'>
        | ''
        | null
      inshop?: Flag | null
    }
    answer: {
      info: 'success'
      data: Winery[]
      totalCount: number
      pages: Pages
    }
    errors: MerchantError
  }
  /**
   * Reads one product by id or path_segment; with inshop only one that its shop sells.
   */
  '/service/products/get': {
    body: {
      id?: number | string | null
      path_segment?: string | null
      inshop?: Flag | null
    }
    answer: {
      info: 'success'
      data: Product
    }
    errors: MerchantError | 'missing_identifier' | 'identifier_conflict' | 'product_not_found'
  }
  /**
   * Lists what the merchant sells beside wine.
   */
  '/service/products/getAll': {
    body: {
      page?: number | string | null
      pageSize?: number | string | null
      start?: number | string | null
      short?: Flag | null
      max?: number | string | null
      /**
       * one of id, name, articlenumber, gross, net, topseller, sorting, crstamp, chstamp, then nothing, ASC or DESC; up to 5, separated by commas
       */
      orderBy?:
        | SortOrder<'id' | 'name' | 'articlenumber' | 'gross' | 'net' | 'topseller' | 'sorting' | 'crstamp' | 'chstamp'>
        | ''
        | null
      inshop?: Flag | null
      /**
       * Must be limited to active, shop, public, topseller, nostock, language, articlenumber, tags.
       */
      filter?:
        | {
            active?: Flag
            shop?: Flag
            public?: Flag
            topseller?: Flag
            nostock?: Flag
            language?: string
            articlenumber?: string
            /**
             * Must be limited to id, path_segment.
             */
            tags?:
              | {
                  id?: number | string | null
                  path_segment?: string | null
                }
              | []
              | null
          }
        | []
        | null
    }
    answer: {
      info: 'success'
      data: Product[]
      totalCount: number
      pages: Pages
    }
    errors: MerchantError | 'identifier_conflict'
  }
  /**
   * Tells what ids and words of records are called: all tables of a `{language}`, or one as `{language}/{table}`.
   */
  '/localization/{path+}': {
    body: {
      path: 'de' | 'en'
    }
    answer: Localization
    errors: CommonError | 'localization_not_found'
  }
  /**
   * Describes every route, as an OpenAPI 3.1 document.
   */
  '/openapi.json': {
    body: Record<string, never>
    answer: {
      [k: string]: unknown
    }
    errors: CommonError
  }
}
export interface Merchant {
  id: number
  type: 'winery'
  company: string | null
  name: string
  address: string | null
  zip: string | null
  city: string | null
  countrycode: string | null
  phone: string | null
  mail: string | null
  email: string | null
  www: string | null
  taxid: string | null
  vatid: string | null
  tax_free: 0 | 1
  image: string | null
  settings: {
    bank: {
      iban: string | null
      bic: string | null
      bankname: string | null
      bank: string | null
      owner: string | null
    }
    freightfreelimit: string | null
  }
}
export interface ClientRecord {
  id: number
  number: string | null
  type: ClientType
  company: string | null
  department: string | null
  gender: Gender | null
  title: string | null
  salutation: string | null
  first_name: string | null
  last_name: string | null
  address: string | null
  address_supplement: string | null
  zip: string | null
  city: string | null
  countrycode: string | null
  mail: string | null
  phone: string | null
  mobile: string | null
  fax: string | null
  www: string | null
  taxid: string | null
  invoice_type: 'net' | 'gross' | null
  payment_type: string | null
  payment_period: string | null
  rebate: string | null
  cashback: string | null
  cashback_period: string | null
  tax_free: 0 | 1
  invoice_remark: string | null
  delivery_note_remark: string | null
  bank: string | null
  iban: string | null
  bic: string | null
  unique_mandate_reference: string | null
  newsletter: 0 | 1
  username: string | null
  image: string | null
  active: 0 | 1
  deleted: 0 | 1
  price_range_id: string | null
  delivery_address_id: string | null
  customers_id: number
}
export interface Order {
  id: number
  uuid: string
  number: string
  billing_type: 'client' | 'address'
  billing_id: number
  payment_type: PaymentType
  payment_period: number
  invoice_type: 'net' | 'gross'
  tax_free: 0 | 1
  delivery_type: 'client' | 'address' | 'none'
  delivery_id: number | null
  delivery_note_remark: string | null
  status: OrderStatus
  taxrates: {
    [k: string]: {
      net: string
      tax: string
      gross: string
    }
  }
  net: string
  tax: string
  gross: string
  item_net: string
  item_tax: string
  item_gross: string
  rebate: number
  rebate_net: string
  rebate_tax: string
  rebate_gross: string
  cashback: number
  gross_cashback: string
  cashback_period: number
  source: string
  crstamp: string
  chstamp: string
  cruser_id: number
  customers_id: number
  client_id: number | null
  client_remark: string | null
  invoice_remark: string | null
  note: string | null
  touched: number
  fixed: boolean
  paid: boolean
  cruser_name: string
  /**
   * There where `include` names `client`.
   */
  client?: ClientRecord | null
  /**
   * There where `include` names `billing`.
   */
  billing?: ClientRecord | Address | null
  /**
   * There where `include` names `delivery`.
   */
  delivery?: ClientRecord | Address | null
  /**
   * There where `include` names `items`.
   */
  positions?: Position[]
  /**
   * There where `include` names `items`.
   */
  package?: Position | null
  /**
   * There where `include` names `items`.
   */
  rebates?: Rebate[]
  documents?: Documents
  /**
   * There where `include` names `user`.
   */
  user?: {
    id: number
    name: string
  }
}
export interface Address {
  id: number
  type: AddressType
  client_id: number | null
  name: string | null
  first_name: string | null
  last_name: string | null
  company: string | null
  gender: Gender | null
  title: string | null
  address: string
  address_supplement: string | null
  zip: string
  city: string
  countrycode: string
  phone: string | null
  mail: string | null
  customers_id: number
  cruser_id: number
  crstamp: string
  chstamp: string
  version: number
}
export interface Position {
  id: number
  sorting: number
  item_type: 'wine' | 'product' | 'package'
  name: string
  item_id: number
  quantity: number
  net: string
  tax: string
  gross: string
  taxrate: number
  order_id: number
  invoice_id: number | null
  delivery_note_id: number | null
  credit_advice_id: number | null
  crstamp: string
  chstamp: string
  cruser_id: number
  customers_id: number
  client_id: number | null
  item: {
    [k: string]: unknown
  }
}
export interface Rebate {
  name: string
  net: string
  tax: string
  gross: string
  quantity: number
}
export interface Documents {
  invoices: Invoice[]
  deliveryNotes: DeliveryNote[]
  payments: ReceivedPayment[]
  creditAdvices: CreditAdvice[]
}
export interface Invoice {
  id: number
  uuid: string
  order_id: number
  number: string
  delivery_type: string
  delivery_id: number | null
  status: OrderStatus
  remark: string | null
  crstamp: string
  cruser_id: number
  chstamp: string
  customers_id: number
  client_id: number | null
  billing_type: 'client' | 'address'
  billing_id: number
  payment_type: PaymentType
  payment_period: number
  invoice_type: 'net' | 'gross'
  tax_free: 0 | 1
  taxrates: {
    [k: string]: {
      net: string
      tax: string
      gross: string
    }
  }
  net: string
  tax: string
  gross: string
  item_net: string
  item_tax: string
  item_gross: string
  rebate: number
  rebate_net: string
  rebate_tax: string
  rebate_gross: string
  cashback: number
  gross_cashback: string
  cashback_period: number
  delivery_note_id: number | null
}
export interface DeliveryNote {
  id: number
  uuid: string
  order_id: number
  number: string
  delivery_type: string
  delivery_id: number | null
  status: OrderStatus
  remark: string | null
  crstamp: string
  cruser_id: number
  chstamp: string
  customers_id: number
  client_id: number | null
  invoice_id: number | null
}
export interface ReceivedPayment {
  uuid: string
  payment_type: PaymentType
  amount: string
  currency: string
  external_id: string | null
  payer_id: string | null
  crstamp: string
}
export interface CreditAdvice {
  id: number
  uuid: string
  order_id: number
  number: string
  remark: string | null
  crstamp: string
  cruser_id: number
  customers_id: number
  client_id: number | null
  billing_type: 'client' | 'address'
  billing_id: number
  payment_type: PaymentType
  payment_period: number
  invoice_type: 'net' | 'gross'
  tax_free: 0 | 1
  taxrates: {
    [k: string]: {
      net: string
      tax: string
      gross: string
    }
  }
  net: string
  tax: string
  gross: string
  item_net: string
  item_tax: string
  item_gross: string
  rebate: number
  rebate_net: string
  rebate_tax: string
  rebate_gross: string
  cashback: number
  gross_cashback: string
  cashback_period: number
  invoice_id: number | null
}
/**
 * Where the page stands: `total` is the number of the last page, `size` how many records a page has.
 */
export interface Pages {
  current: number
  total: number
  size: number
  /**
   * Where the list goes on, of a page that ended early or was asked for by `start`.
   */
  next?: {
    start: number
  }
}
/**
 * Must be given a name, last_name or company.
 */
export interface NewAddress {
  type?: AddressType | null
  address: string
  zip: string
  city: string
  /**
   * Must be the code of a country in two letters.
   */
  countrycode: string
  client_id?: number | string | null
  name?: string | null
  first_name?: string | null
  last_name?: string | null
  company?: string | null
  gender?: Gender | null
  title?: string | null
  address_supplement?: string | null
  phone?: string | null
  /**
   * Must be a mail address such as name@example.org.
   */
  mail?: string | null
}
export interface AddressChange {
  type?: AddressType
  client_id?: number | string | null
  name?: string | null
  first_name?: string | null
  last_name?: string | null
  company?: string | null
  gender?: Gender | null
  title?: string | null
  address?: string
  address_supplement?: string | null
  zip?: string
  city?: string
  /**
   * Must be the code of a country in two letters.
   */
  countrycode?: string
  phone?: string | null
  /**
   * Must be a mail address such as name@example.org.
   */
  mail?: string | null
  version?: number | string
}
export interface Basket {
  uuid: string
  basketItems: BasketItem[]
  order_uuid: string | null
}
export interface BasketItem {
  id: number
  item_type: 'wine' | 'product' | 'rebate' | 'package'
  item_id: number
  quantity: number
  item: {
    [k: string]: unknown
  } | null
}
export interface NewBasketItem {
  item_type: 'wine' | 'product'
  item_id: number | string
  quantity: number | string
}
export interface Freight {
  id: number
  name: string
  net: string
  tax: string
  gross: string
  taxrate: number
  quantity: number
}
export interface Package {
  id: number
  type: 'bottles'
  min_bottles: number | null
  max_bottles: number | null
  min_weight: number | null
  max_weight: number | null
  gross: string
  net: string
  tax: string
  taxrate: number
  customers_id: number
  name: string
}
export interface InlineDelivery {
  gender?: Gender | null | ''
  title?: string | null
  first_name?: string | null
  last_name?: string | null
  name?: string | null
  company?: string | null
  address: string
  address_supplement?: string | null
  zip: string
  city: string
  /**
   * Must be the code of a country in two letters.
   */
  countrycode?: (string | null) | ''
  phone?: string | null
  /**
   * Must be a mail address such as name@example.org.
   */
  mail?: string | null
}
export interface Payment {
  uuid: string
  type: PaymentType
  status: string
  amount: string
  currency: string
  external_id: string | null
  target_url: string | null
}
export interface ExecutedPayment {
  uuid: string
  type: PaymentType
  status: 'payed' | 'pending'
  amount: string
  currency: string
  external_id: string | null
  target_url: string | null
}
export interface PublicWine {
  id: number
  articlenumber: string | null
  name: string
  type: WineType
  countrycode: string
  region: number
  vintage: number | null
  place: string | null
  quality: string | null
  quality_note: string | null
  taste_id: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | null
  alcohol: string | null
  sweetness: string | null
  acid: string | null
  bottlesize: string
  drinktemperature: string | null
  gross: string
  net: string
  tax: string
  taxrate: number
  description: string | null
  terroir: string | null
  maturation: string | null
  bottling_type: BottlingType | null
  cap: Cap | null
  gtin: string | null
  cuvee: 0 | 1
  bio: 0 | 1
  vegan: 0 | 1
  active: 0 | 1
  public: 0 | 1
  shop: 0 | 1
  winesearch: 0 | 1
  topseller: 0 | 1
  nostock: 0 | 1
  nostocktext: string | null
  sorting: number
  weight: number
  language: string
  allergenIds: (1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14)[]
  grapetypeIds: number[]
  origin_id: number | null
  winery_id: number | null
  image: string | null
  categoryIds: number[]
  winery: PublicWinery | null
  translations: {
    id: number
    language: string
    name: string
    path_segment: string
  }[]
  path_segment: string
  pdf: string | null
  expertisePdf: string | null
  customers_id: number
  crstamp: string
  chstamp: string
}
export interface PublicWinery {
  id: number
  name: string
  company: string | null
  taxid: string | null
  address: string | null
  zip: string | null
  city: string | null
  region: number | null
  countrycode: string | null
  mail: string | null
  phone: string | null
  fax: string | null
  www: string | null
  freetext: string | null
  vineyard: string | null
  harvest: string | null
  bestplaces: string | null
  memberof: string | null
  image: string | null
  charindex: string | null
  sorting: number
  path_segment: string | null
  customers_id: number
  crstamp: string
  chstamp: string
  active: 0 | 1
  public: 0 | 1
}
export interface NewWine {
  name: string
  type: WineType
  /**
   * Must be the code of a country in two letters.
   */
  countrycode: string
  region: number | string
  articlenumber?: string | null
  vintage?: number | string | null
  place?: string | null
  quality?: string | null
  quality_note?: string | null
  taste_id?:
    | 1
    | 2
    | 3
    | 4
    | 5
    | 6
    | 7
    | 8
    | 9
    | 10
    | 11
    | 12
    | 13
    | 14
    | 15
    | '1'
    | '2'
    | '3'
    | '4'
    | '5'
    | '6'
    | '7'
    | '8'
    | '9'
    | '10'
    | '11'
    | '12'
    | '13'
    | '14'
    | '15'
    | null
  alcohol?: string | number | null
  sweetness?: string | number | null
  acid?: string | number | null
  /**
   * Must be above zero.
   */
  bottlesize?: string | number
  drinktemperature?: string | null
  gross?: string | number
  net?: string | number
  tax?: string | number
  taxrate?: number | string
  description?: string | null
  terroir?: string | null
  maturation?: string | null
  bottling_type?: BottlingType | null
  cap?: Cap | null
  /**
   * Must be 8, 12, 13 or 14 digits with their check digit.
   */
  gtin?: string | null
  cuvee?: Flag
  bio?: Flag
  vegan?: Flag
  active?: Flag
  public?: Flag
  shop?: Flag
  winesearch?: Flag
  internal?: Flag
  network?: Flag
  topseller?: Flag
  nostock?: Flag
  nostocktext?: string | null
  sorting?: number | string
  weight?: number | string
  language?: string
  allergenIds?: (
    | 1
    | 2
    | 3
    | 4
    | 5
    | 6
    | 7
    | 8
    | 9
    | 10
    | 11
    | 12
    | 13
    | 14
    | '1'
    | '2'
    | '3'
    | '4'
    | '5'
    | '6'
    | '7'
    | '8'
    | '9'
    | '10'
    | '11'
    | '12'
    | '13'
    | '14'
  )[]
  grapetypeIds?: (number | string)[]
  origin_id?: number | string | null
  winery_id?: number | string | null
  /**
   * null, `drawn`, or a link of this service.
   */
  image?: string | null
  categoryIds?: (number | string)[]
  prices?: {
    price_range_id: number | string
    gross?: string | number
    net?: string | number
    tax?: string | number
    taxrate?: number | string
    wine_id?: unknown
    priceRangeName?: unknown
  }[]
  path_segment?: string
}
export interface Wine {
  id: number
  articlenumber: string | null
  name: string
  type: WineType
  countrycode: string
  region: number
  vintage: number | null
  place: string | null
  quality: string | null
  quality_note: string | null
  taste_id: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | null
  alcohol: string | null
  sweetness: string | null
  acid: string | null
  bottlesize: string
  drinktemperature: string | null
  gross: string
  net: string
  tax: string
  taxrate: number
  description: string | null
  terroir: string | null
  maturation: string | null
  bottling_type: BottlingType | null
  cap: Cap | null
  gtin: string | null
  cuvee: 0 | 1
  bio: 0 | 1
  vegan: 0 | 1
  active: 0 | 1
  public: 0 | 1
  shop: 0 | 1
  winesearch: 0 | 1
  internal: 0 | 1
  network: 0 | 1
  topseller: 0 | 1
  nostock: 0 | 1
  nostocktext: string | null
  sorting: number
  weight: number
  language: string
  allergenIds: (1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14)[]
  grapetypeIds: number[]
  origin_id: number | null
  winery_id: number | null
  image: string | null
  categoryIds: number[]
  prices: {
    wine_id: number
    price_range_id: number
    priceRangeName: string
    taxrate: number
    net: string
    tax: string
    gross: string
  }[]
  winery: Winery | null
  translations: {
    id: number
    language: string
    name: string
    path_segment: string
  }[]
  path_segment: string
  pdf: string | null
  expertisePdf: string | null
  customers_id: number
  cruser_id: number
  crstamp: string
  chstamp: string
  hash: string
  version: number
}
export interface Winery {
  id: number
  name: string
  company: string | null
  taxid: string | null
  address: string | null
  zip: string | null
  city: string | null
  region: number | null
  countrycode: string | null
  mail: string | null
  phone: string | null
  fax: string | null
  www: string | null
  freetext: string | null
  vineyard: string | null
  harvest: string | null
  bestplaces: string | null
  memberof: string | null
  image: string | null
  charindex: string | null
  sorting: number
  path_segment: string | null
  customers_id: number
  cruser_id: number
  crstamp: string
  chstamp: string
  active: 0 | 1
  network: 0 | 1
  internal: 0 | 1
  public: 0 | 1
}
export interface WineChange {
  articlenumber?: string | null
  name?: string
  type?: WineType
  /**
   * Must be the code of a country in two letters.
   */
  countrycode?: string
  region?: number | string
  vintage?: number | string | null
  place?: string | null
  quality?: string | null
  quality_note?: string | null
  taste_id?:
    | 1
    | 2
    | 3
    | 4
    | 5
    | 6
    | 7
    | 8
    | 9
    | 10
    | 11
    | 12
    | 13
    | 14
    | 15
    | '1'
    | '2'
    | '3'
    | '4'
    | '5'
    | '6'
    | '7'
    | '8'
    | '9'
    | '10'
    | '11'
    | '12'
    | '13'
    | '14'
    | '15'
    | null
  alcohol?: string | number | null
  sweetness?: string | number | null
  acid?: string | number | null
  /**
   * Must be above zero.
   */
  bottlesize?: string | number
  drinktemperature?: string | null
  gross?: string | number
  net?: string | number
  tax?: string | number
  taxrate?: number | string
  description?: string | null
  terroir?: string | null
  maturation?: string | null
  bottling_type?: BottlingType | null
  cap?: Cap | null
  /**
   * Must be 8, 12, 13 or 14 digits with their check digit.
   */
  gtin?: string | null
  cuvee?: Flag
  bio?: Flag
  vegan?: Flag
  active?: Flag
  public?: Flag
  shop?: Flag
  winesearch?: Flag
  internal?: Flag
  network?: Flag
  topseller?: Flag
  nostock?: Flag
  nostocktext?: string | null
  sorting?: number | string
  weight?: number | string
  language?: string
  allergenIds?: (
    | 1
    | 2
    | 3
    | 4
    | 5
    | 6
    | 7
    | 8
    | 9
    | 10
    | 11
    | 12
    | 13
    | 14
    | '1'
    | '2'
    | '3'
    | '4'
    | '5'
    | '6'
    | '7'
    | '8'
    | '9'
    | '10'
    | '11'
    | '12'
    | '13'
    | '14'
  )[]
  grapetypeIds?: (number | string)[]
  origin_id?: number | string | null
  winery_id?: number | string | null
  /**
   * null, `drawn`, or a link of this service.
   */
  image?: string | null
  categoryIds?: (number | string)[]
  prices?: {
    price_range_id: number | string
    gross?: string | number
    net?: string | number
    tax?: string | number
    taxrate?: number | string
    wine_id?: unknown
    priceRangeName?: unknown
  }[]
  path_segment?: string
  version?: number | string
}
export interface ShownWine {
  id: number
  articlenumber: string | null
  name: string
  type: WineType
  countrycode: string
  region: number
  vintage: number | null
  place: string | null
  quality: string | null
  quality_note: string | null
  taste_id: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | null
  alcohol: string | null
  sweetness: string | null
  acid: string | null
  bottlesize: string
  drinktemperature: string | null
  gross: string
  net: string
  tax: string
  taxrate: number
  description: string | null
  terroir: string | null
  maturation: string | null
  bottling_type: BottlingType | null
  cap: Cap | null
  gtin: string | null
  cuvee: 0 | 1
  bio: 0 | 1
  vegan: 0 | 1
  active: 0 | 1
  public: 0 | 1
  shop: 0 | 1
  winesearch: 0 | 1
  internal: 0 | 1
  network: 0 | 1
  topseller: 0 | 1
  nostock: 0 | 1
  nostocktext: string | null
  sorting: number
  weight: number
  language: string
  allergenIds: (1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14)[]
  grapetypeIds: number[]
  origin_id: number | null
  winery_id: number | null
  image: string | null
  categoryIds: number[]
  prices: {
    wine_id: number
    price_range_id: number
    priceRangeName: string
    taxrate: number
    net: string
    tax: string
    gross: string
  }[]
  winery: Winery | null
  translations: {
    id: number
    language: string
    name: string
    path_segment: string
  }[]
  path_segment: string
  pdf: string | null
  expertisePdf: string | null
  customers_id: number
  cruser_id: number
  crstamp: string
  chstamp: string
  hash: string
  version: number
  price: string
  categories: {
    id: number
    name: string
  }[]
  expertiseStatus: 'OK' | null
}
export interface ListedWine {
  id: number
  articlenumber: string | null
  name: string
  type: WineType
  countrycode: string
  region: number
  vintage: number | null
  place: string | null
  quality: string | null
  quality_note: string | null
  taste_id: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | null
  alcohol: string | null
  sweetness: string | null
  acid: string | null
  bottlesize: string
  drinktemperature: string | null
  gross: string
  net: string
  tax: string
  taxrate: number
  description: string | null
  terroir: string | null
  maturation: string | null
  bottling_type: BottlingType | null
  cap: Cap | null
  gtin: string | null
  cuvee: 0 | 1
  bio: 0 | 1
  vegan: 0 | 1
  active: 0 | 1
  public: 0 | 1
  shop: 0 | 1
  winesearch: 0 | 1
  internal: 0 | 1
  network: 0 | 1
  topseller: 0 | 1
  nostock: 0 | 1
  nostocktext: string | null
  sorting: number
  weight: number
  language: string
  allergenIds: (1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14)[]
  grapetypeIds: number[]
  origin_id: number | null
  winery_id: number | null
  image: string | null
  categoryIds: number[]
  prices: {
    wine_id: number
    price_range_id: number
    priceRangeName: string
    taxrate: number
    net: string
    tax: string
    gross: string
  }[]
  winery: Winery | null
  translations: {
    id: number
    language: string
    name: string
    path_segment: string
  }[]
  path_segment: string
  pdf: string | null
  expertisePdf: string | null
  customers_id: number
  cruser_id: number
  crstamp: string
  chstamp: string
  hash: string
  version: number
  price: string
  categories: {
    id: number
    name: string
  }[]
  expertiseStatus: 'OK' | null
  qrcodes?: {
    hash: string
    url: string
  }[]
}
export interface Category {
  id: number
  name: string
  path_segment: string
  description: string | null
  image: string | null
  sorting: number
}
export interface Product {
  id: number
  articlenumber: string | null
  name: string
  gross: string
  net: string
  tax: string
  taxrate: number
  prices: {
    price_range_id: number
    priceRangeName: string
    taxrate: number
    net: string
    tax: string
    gross: string
    product_id: number
  }[]
  package_quantity: number
  path_segment: string | null
  categoryIds: number[]
  description: string | null
  image: string | null
  pdf: string | null
  language: string
  active: 0 | 1
  public: 0 | 1
  shop: 0 | 1
  internal: 0 | 1
  network: 0 | 1
  topseller: 0 | 1
  sorting: number
  nostock: 0 | 1
  nostocktext: string | null
  origin_id: number | null
  customers_id: number
  cruser_id: number
  crstamp: string
  chstamp: string
}
export interface Localization {
  countries: {
    [k: string]: string
  }
  wineregions: {
    [k: string]: {
      [k: string]: string
    }
  }
  tastes: {
    [k: string]: string
  }
  winetypes: {
    [k: string]: string
  }
  qualitytypes: {
    [k: string]: {
      [k: string]: string
    }
  }
  grapetypes: {
    [k: string]: {
      name: string
    }
  }
  units: {
    [k: string]: string
  }
  bottlingtypes: {
    [k: string]: string
  }
  allergens: {
    [k: string]: {
      name: string
    }
  }
}

/** What such lists may be ordered by. */
export type WineSortField =
  | 'id'
  | 'articlenumber'
  | 'name'
  | 'type'
  | 'countrycode'
  | 'region'
  | 'vintage'
  | 'place'
  | 'quality'
  | 'quality_note'
  | 'taste_id'
  | 'alcohol'
  | 'sweetness'
  | 'acid'
  | 'bottlesize'
  | 'drinktemperature'
  | 'gross'
  | 'net'
  | 'tax'
  | 'taxrate'
  | 'description'
  | 'terroir'
  | 'maturation'
  | 'bottling_type'
  | 'cap'
  | 'gtin'
  | 'cuvee'
  | 'bio'
  | 'vegan'
  | 'active'
  | 'public'
  | 'shop'
  | 'winesearch'
  | 'internal'
  | 'network'
  | 'topseller'
  | 'nostock'
  | 'nostocktext'
  | 'sorting'
  | 'weight'
  | 'language'
  | 'origin_id'
  | 'winery_id'
  | 'image'
  | 'path_segment'
  | 'pdf'
  | 'expertisePdf'
  | 'customers_id'
  | 'cruser_id'
  | 'crstamp'
  | 'chstamp'
  | 'hash'
  | 'version'

/** What such lists may be ordered by. */
export type PublicWineSortField =
  | 'id'
  | 'name'
  | 'type'
  | 'countrycode'
  | 'region'
  | 'place'
  | 'vintage'
  | 'quality'
  | 'bottlesize'
  | 'gross'
  | 'winery_id'
  | 'topseller'
  | 'sorting'
  | 'crstamp'
  | 'chstamp'

/** One term of an `orderBy`. */
export type SortTerm<Field extends string> = Field | `${Field} ${'ASC' | 'DESC' | 'asc' | 'desc'}`

/** Up to five terms, separated by commas. TypeScript checks the first: all combinations are too many for it. */
export type SortOrder<Field extends string> = SortTerm<Field> | `${SortTerm<Field>},${string}`

/** What every route may refuse with: the request cannot be read or does not fit, or the service is in trouble. */
export type CommonError =
  | 'method_not_allowed'
  | 'unsupported_media_type'
  | 'payload_too_large'
  | 'invalid_json'
  | 'json_too_deep'
  | 'validation_failed'
  | 'field_not_writable'
  | 'temporarily_unavailable'
  | 'internal_error'

/** What every route of a merchant may refuse with. */
export type MerchantError =
  | CommonError
  | 'token_missing'
  | 'token_malformed'
  | 'token_invalid'
  | 'token_expired'
  | 'quota_exceeded'

/** Every word that a route may refuse with. */
export type ErrorWord =
  | 'invalid_json'
  | 'json_too_deep'
  | 'validation_failed'
  | 'field_not_writable'
  | 'missing_identifier'
  | 'identifier_conflict'
  | 'nothing_to_change'
  | 'login_failed'
  | 'client_login_throttled'
  | 'mail_taken'
  | 'hash_invalid'
  | 'webhook_signature_invalid'
  | 'token_missing'
  | 'token_malformed'
  | 'token_invalid'
  | 'token_expired'
  | 'client_token_missing'
  | 'client_token_invalid'
  | 'credentials_invalid'
  | 'route_not_found'
  | 'order_not_found'
  | 'address_not_found'
  | 'wine_not_found'
  | 'expertise_not_found'
  | 'category_not_found'
  | 'winery_not_found'
  | 'product_not_found'
  | 'campaign_not_found'
  | 'package_not_found'
  | 'payment_not_found'
  | 'localization_not_found'
  | 'picture_not_found'
  | 'asset_not_found'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'range_not_satisfiable'
  | 'login_throttled'
  | 'quota_exceeded'
  | 'order_cancelled'
  | 'order_paid'
  | 'order_not_cancellable'
  | 'payment_in_progress'
  | 'version_conflict'
  | 'slug_taken'
  | 'basket_already_ordered'
  | 'item_not_found'
  | 'item_unavailable'
  | 'insufficient_stock'
  | 'reference_not_found'
  | 'basket_not_found'
  | 'empty_order'
  | 'price_mismatch'
  | 'rebate_invalid'
  | 'rebate_exceeds_total'
  | 'price_inconsistent'
  | 'payment_type_not_allowed'
  | 'redirect_url_invalid'
  | 'payment_mismatch'
  | 'payment_not_approved'
  | 'payment_declined'
  | 'amount_mismatch'
  | 'idempotency_key_reused'
  | 'internal_error'
  | 'payment_provider_error'
  | 'temporarily_unavailable'
  | 'payment_provider_timeout'
