import type { ErrorWord } from '../contract/errors.ts'

/** The meaning of each error word: when it occurs, and what to do about it. One or two sentences of plain text. */
export const advice: Readonly<Record<ErrorWord, string>> = {
  invalid_json:
    'The body cannot be parsed, or is not UTF-8. Send one JSON object as UTF-8; repeating the same bytes does not help.',
  json_too_deep:
    'Objects and lists in the body are nested more than 32 levels deep. Send a flatter body: no route reads a field below a few levels.',
  validation_failed:
    'Values have the wrong type, form or size. `fields` names each with the rule it breaks: correct those before you send the request again, and show a buyer only those typed in a form.',
  field_not_writable:
    'The data holds keys that the record does not have, or that the service sets by itself. Leave out the fields that `fields` names with the rule `not_writable`.',
  missing_identifier:
    'The request has none of the keys that identify a record. Send one of those that `details` names, such as `id`, `uuid` or `path_segment`.',
  identifier_conflict:
    'Two values that should name the same record name different records, or the request has both an address and the id of another. Send one of the two; of an order, `fields` may name which.',
  nothing_to_change:
    'The edit has no field to change: `data` is empty or has only `version`. Skip the call if the form is unchanged.',
  login_failed:
    'The answer does not say which of these reasons applies, nor if the client is inactive. Show the form again and offer to reset the password.',
  client_login_throttled:
    'After 20 failed sign-ins with this mail within 15 minutes, one a minute is tried, whatever its password. Ask the buyer to wait for `Retry-After` seconds or to reset the password. If the shop sends `caller` with each sign-in, buyers who signed in from there before are not limited.',
  mail_taken:
    'Another client has an account with this mail, so it cannot be registered or set for a second client. Offer the sign-in or `clients/getPasswordHash` instead.',
  hash_invalid:
    'A hash is valid for 24 hours and once, and until the password or mail changes; one of `clients/register` only activates, one of `clients/getPasswordHash` only resets. Request a new one from the matching route and mail it.',
  webhook_signature_invalid:
    'Only the payment provider calls this route. When its own events are refused, compare the webhook id in the merchant’s secret with the one at the provider; a shop never sees this word.',
  token_missing:
    'The route is a Service route and the `Authorization` header is absent or empty. Sign in by `/service/login` and send the token with each request.',
  token_malformed:
    'The header is not `Bearer` and one session token. Check that it is the token which `/service/login` returned, whole and without quotes, and not the API token itself.',
  token_invalid:
    'No session has this token: it ended by `/service/logout`, expired long ago, or its API token was revoked. Sign in once and repeat the request once; if the sign-in fails too, ask the operator for a new API token.',
  token_expired:
    'Twelve hours have passed since this session was opened. Sign in once more and repeat the request with the new token; nothing was done yet.',
  role_missing:
    'The session was opened with an API token for shops, and the route is part of the merchant’s own work. Sign in with a token of the role `desk`, which the operator issues; never give it to the shop’s server.',
  client_token_missing:
    'The route is about a merchant’s client, and no client is signed in. Send the buyer to the sign-in page, then send the token of `clients/login` too.',
  client_token_invalid:
    'The client’s sign-in is over after 12 hours, by `clients/logout`, by a new password, or because the client is deleted, inactive or another merchant’s. Drop the token and let the buyer sign in again; the merchant’s own session is not affected.',
  credentials_invalid:
    'The AuthID and API token do not match a valid credential; the answer does not say which of the two is wrong. Compare both with what the operator tool printed; do not repeat the call unchanged, because failures are counted.',
  route_not_found:
    'The path is misspelled or belongs to a module that this service does not have. Paths are case-sensitive and have no slash at their end.',
  order_not_found:
    'The merchant, or the client who is signed in, has no order with this id or uuid. Do not retry; show the buyer the list of orders instead.',
  document_not_found:
    'The order has no document of this kind, or none with this number: it is not invoiced yet, was never credited, or its goods are collected. A delivery note has no `xml`. Read `documents` of the order with `orders/get`.',
  address_not_found:
    'The merchant has no address with this id, or it was deleted before. After a repeated `addresses/delete` this is the expected answer; elsewhere read the list again.',
  wine_not_found:
    'The merchant has no such wine; public routes, and `wines/get` with `inshop`, also say so of wines that are not shown there. Answer your page with its own 404.',
  expertise_not_found:
    'The wine is not active, neither public nor in the shop, or the file name is not its own. Take the link from the wine’s `expertisePdf`, which may be another one after a change.',
  category_not_found:
    'The merchant has no category with this id or path_segment. Read `categories/getAll` again and answer your page with its own 404.',
  winery_not_found:
    'The merchant has no winery with this id or path_segment. Read `wineries/getAll` again and answer your page with its own 404.',
  product_not_found:
    'The merchant has no product with this id or path_segment, or with `inshop` its shop does not sell it. Answer your page with its own 404.',
  price_range_not_found: 'The merchant has no price range with this id. Read `priceRanges/getAll` again.',
  campaign_not_found:
    'The service has no discount codes. Show the buyer `details`, which is in the language of the request or of the merchant.',
  package_not_found:
    'The merchant has no packages, no bottle was asked for, or the cost of sending them would be too large to be written. Show no shipping cost; an order of nothing that needs packing is taken without a package.',
  payment_not_found:
    'The uuid or external id names no payment of this merchant. Take it from the `pid` of the return URL or from `payment.uuid` of `orders/add`.',
  localization_not_found:
    'There are the languages `de` and `en`, and the tables that `/localization/de` has as its keys. Fall back to one of them.',
  upload_not_found:
    'The id of the file is unknown or older than a day, or the form of `files/add` was not sent to its `url` before `files/commit`. Send the form and commit again, or begin with `files/add`.',
  picture_not_found:
    'The path is not one that a record shows as `image`. Read the record again; where `image` is null, show a picture of your own.',
  asset_not_found:
    'Only the page at `/docs` asks for these files, by the names in that page. Reload the page; it may be older than the last deployment.',
  method_not_allowed:
    'The path is right, the method is not: the `Allow` header names those that the route answers. Service routes answer POST alone.',
  payload_too_large:
    'The body has more than 262,144 bytes, or a record would grow beyond what can be stored, or an answer beyond what can be sent: `details` says which. Shorten texts, send fewer items, or ask with a smaller `pageSize`.',
  unsupported_media_type:
    'Bodies are JSON alone. Set `Content-Type: application/json`, or leave the header out; forms and XML are not read.',
  range_not_satisfiable:
    'The `Range` header begins behind the end of the PDF. Send the request without it, or within the size in `Content-Range`.',
  login_throttled:
    'More than 20 sign-ins failed within 15 minutes from this address or for this AuthID. Stop retrying and correct the credential: the right one is accepted even now, and the count restarts after `Retry-After` seconds.',
  quota_exceeded:
    'With status 429 the merchant’s requests or sign-ins come too fast: nothing was done, repeat after `Retry-After` seconds. With 422 it has as many records as it may: repeating does not help, the operator can raise the quota.',
  order_cancelled:
    'The order was cancelled by a request, by the merchant, or by the sweep because it was not paid within a day; money that arrives later is refunded. Do not retry; offer the buyer to order again: the basket is open.',
  order_paid:
    'A paid order cannot be cancelled, replaced or paid again. Read it with `orders/get` and show the buyer that it is paid; only the merchant can refund it.',
  order_not_cancellable:
    'The order is shipped, closed or handled manually, or its payment needs a human decision. Do not retry; refer the buyer to the merchant.',
  payment_in_progress:
    'Another request, an event of the provider or the sweep is taking the money at this moment. Repeat the same request after `Retry-After` seconds; the outcome is known within a minute.',
  version_conflict:
    'The `version` sent with an edit is not the current one. Read the record, apply the change again, and send it with the new version, or without one to overwrite.',
  label_published:
    'Vintage and alcohol stay as they are. Make the next vintage by `wines/rollOver`: it gets a label and a code of its own.',
  label_incomplete:
    'Give the facts that `fields` lists, in the same request or before, and send `facts.published` again.',
  label_not_found: 'Check the `hash` of the wine. A label exists once its wine was saved with `facts.published`.',
  label_withdrawn:
    'Show that the label is no longer available. The merchant can publish it again by `wines/edit` with `facts.published`.',
  already_rolled_over:
    'The wine has one next vintage, its `successor_id`. Roll that one over instead, or change its vintage by `wines/edit`.',
  slug_taken: 'The `path_segment` is in use. Choose another, or leave it out to get a free one made from the name.',
  package_needed:
    'Without a package, orders would be placed without a shipping cost. Change the package by `packages/edit`, or add its successor first; to ship free of charge, set its `gross` to 0.00.',
  price_range_in_use:
    'Keep the name, or add a range with the new one by `priceRanges/edit` without `id` and move prices and clients to it.',
  number_taken:
    'Numbers are given once. Keep the next number that `customers/getMy` shows, or a higher one. A new format must differ from those of the other kinds of documents and from earlier ones, as by letters of its own.',
  name_taken:
    'Categories and price ranges are named in files, so each name belongs to one. Choose another name, or use the record that has it: `getAll` lists them.',
  basket_already_ordered:
    'Another request ordered the basket. Do not send it again: show that order, and open a new basket by `baskets/add`.',
  not_in_this_status:
    'The step does not follow from the order’s status, which `status` names: an order is credited once it has an invoice, packed once it is paid, and so on. Read the order before the next step.',
  payment_refunded:
    'The provider reports that money of the order went back. Before the goods are shipped, keep the order with `accept` of `payments/decide`, or credit it by `orders/credit`.',
  credit_exceeds_invoice:
    'Fewer pieces are left of the position that `fields` names, with their number as `expected`; others were credited before. Read the credit advices of the order and credit what is left.',
  refund_not_possible:
    'The order is unpaid, or its money did not come by a payment provider. Credit it with `refund` `by_hand` or `none`.',
  item_not_found:
    'A wine, product or package named by the request is not one of this merchant’s, or the basket no longer has the item. Read the basket again, take out what `fields` names, and tell the buyer.',
  item_unavailable:
    'Wines or products are inactive, marked `nostock`, without a price, or with `inshop` not in the shop. `fields` names each of them: take them out and let the buyer confirm the rest.',
  stock_not_counted:
    'Pieces can be added only to a stock that is counted. Send `stock` with the present number of pieces once; from then on `quantity` changes it.',
  insufficient_stock:
    'The order needs more than is in stock; nothing was stored. `fields` names each item with the available quantity as `expected`: offer the buyer that quantity.',
  file_invalid:
    'The bytes were decoded and are not what `files/add` declared, are damaged, or are too large a picture; `details` has the reason. Upload another file while the form is valid, or begin with `files/add`.',
  reference_not_found:
    'The request names by id a client, address, winery, category, price range or original wine that the merchant does not have. `fields` says where: choose another or leave it out.',
  basket_not_found:
    'The basket does not exist, was unused for 90 days, or is already ordered. Open a new one by `baskets/add` and fill it; with 422 an order names the basket, with 404 the request is about it.',
  empty_order:
    'Neither `items` nor the basket has a wine or product; packages and rebates alone are not an order. Send the buyer back to the basket.',
  price_mismatch:
    'The `net`, `tax` or `gross` sent as a check differ from the calculated amounts, often because a price changed in the meantime. `fields` holds the expected totals, and items whose price changed: show the buyer the new sum and send that, or no totals.',
  rebate_invalid:
    'The net, tax and gross of a rebate do not add up, or fit none of the order’s tax rates. Split it by the tax rates of the goods, or calculate its tax with one of those rates.',
  rebate_exceeds_total:
    'At some tax rate the rebates together are worth more than goods and package. Lower the rebate that `fields` names to what is left.',
  price_inconsistent:
    'For a wine: send only gross, or amounts where net and tax add up to gross at the tax rate. For an order: the price stored with an item is wrong; the merchant must correct that record.',
  payment_type_not_allowed:
    'The merchant has not enabled this payment type, or has no provider for it yet. Offer the buyer what `expected` in `fields` names; `customers/availablePayments` lists the enabled types.',
  country_not_served:
    'Offer as delivery countries only those in `settings.ships_to` of `customers/getMy`; `expected` in `fields` names them, too. Goods that the buyer collects (`delivery_type` none) are not shipped.',
  redirect_url_invalid:
    'A payment at a provider needs `return_url` and `cancel_url`: with https (http on localhost alone), without user and fragment, and at a host that the merchant allows. Correct the shop’s configuration; the buyer can do nothing.',
  payment_mismatch:
    'The `payment_id`, `external_id`, `payer_id` or `payment_type` is not that of this order’s payment. Send them as the return URL brought them, or call `payments/execute` with the payment’s uuid alone.',
  payment_not_approved:
    'The buyer has not confirmed at the provider yet, or left it before. Nothing was taken; send the buyer to `targetUrl` again, or cancel the order.',
  payment_declined:
    'The provider did not take the money; `details` holds its reason if it gave one. The order stays open: let the buyer try again at `targetUrl`, or order the same basket with another way to pay.',
  invoice_incomplete:
    'What is missing is named in `fields`: `seller…` is set by `customers/edit`, `buyer…` and `recipient…` in the client’s record, `tax_free_reason` in either. Then ask again. `incomplete: 1` draws the PDF all the same, but nothing of it is kept.',
  amount_mismatch:
    'The provider reports another amount or currency than the order has; nothing more is taken. Do not retry: tell the buyer that the merchant will check it, and then accept or refund the money.',
  idempotency_key_reused:
    'The same key was sent with other data within 48 hours. Use a new key for each order, and the same key only to repeat the same request.',
  internal_error:
    'The service failed. Repeat a read once; an order only with its `Idempotency-Key` or its basket, so that it cannot be placed twice; report the `request_id` if it fails again.',
  payment_provider_error:
    'The provider refused, or could not be reached. After `orders/add` the order is cancelled and the basket free: order again later, or with another way to pay. After `orders/checkout/finish` repeat the same request; the money is taken once at most.',
  temporarily_unavailable:
    'The service is overloaded, or the answer would have taken too long. Repeat the same request after `Retry-After` seconds, with growing pauses after that; an order with its `Idempotency-Key` or its basket.',
  payment_provider_timeout:
    'The outcome of the payment is unknown. After `orders/checkout/finish` show it as pending and repeat the request after a few seconds, or leave it to the sweep; after `orders/add` the order is cancelled and may be placed again.',
}
