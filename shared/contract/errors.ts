import type * as v from 'valibot'

/**
 * The error words of the contract: HTTP status, default sentence, and a German sentence if shops show the refusal to buyers.
 */
export const errors = {
  invalid_json: [400, 'The body is not valid JSON.'],
  json_too_deep: [400, 'The JSON body is nested more than 32 levels deep.'],
  validation_failed: [400, 'A field of the request is invalid.'],
  field_not_writable: [400, 'The request sets a field that is unknown or read-only.'],
  missing_identifier: [400, 'The request does not identify a record.'],
  identifier_conflict: [400, 'The identifiers in the request contradict each other.'],
  nothing_to_change: [400, 'The request has no field to change.', 'Es gibt nichts zu ändern.'],
  login_failed: [
    400,
    'The mail address or the password is wrong, or the account is not activated.',
    'Die E-Mail-Adresse oder das Passwort ist falsch, oder das Konto ist noch nicht bestätigt.',
  ],
  client_login_throttled: [
    400,
    'Too many sign-ins with this mail address have failed. Wait a minute before you try again.',
    'Zu viele fehlgeschlagene Anmeldungen mit dieser E-Mail-Adresse. Bitte warten Sie eine Minute.',
  ],
  mail_taken: [400, 'Another account uses this mail address.', 'Zu dieser E-Mail-Adresse gibt es bereits ein Konto.'],
  hash_invalid: [
    400,
    'The hash is unknown, already used or expired. Request a new one.',
    'Der Link ist nicht mehr gültig. Bitte fordern Sie einen neuen an.',
  ],
  webhook_signature_invalid: [400, 'The event has no valid signature of the payment provider.'],
  token_missing: [401, 'The header `Authorization` is missing. Send `Bearer` and a session token from /service/login.'],
  token_malformed: [401, 'The session token is malformed. Send `Bearer` and a session token from /service/login.'],
  token_invalid: [401, 'The session token is unknown or revoked. Sign in again.'],
  token_expired: [401, 'The session token has expired. Sign in again.'],
  role_missing: [403, 'This route requires a session of an API token with the role `desk`.'],
  client_token_missing: [
    401,
    'The header `Client-Authorization` is missing. Send a token from clients/login.',
    'Bitte melden Sie sich an.',
  ],
  client_token_invalid: [
    401,
    'The client token is unknown or expired. The client must sign in again.',
    'Sie sind nicht mehr angemeldet. Bitte melden Sie sich erneut an.',
  ],
  credentials_invalid: [401, 'The AuthID or the API token is wrong.'],
  route_not_found: [404, 'There is no such route.'],
  document_not_found: [404, 'The order has no such document.', 'Dieses Dokument gibt es nicht.'],
  order_not_found: [404, 'There is no such order.', 'Diese Bestellung gibt es nicht.'],
  address_not_found: [404, 'There is no such address.'],
  wine_not_found: [404, 'There is no such wine.'],
  expertise_not_found: [404, 'There is no such expertise PDF.'],
  category_not_found: [404, 'There is no such category.'],
  winery_not_found: [404, 'There is no such winery.'],
  product_not_found: [404, 'There is no such product.'],
  price_range_not_found: [404, 'There is no such price range.'],
  campaign_not_found: [
    404,
    'There is no such discount code, or it has expired.',
    'Diesen Rabattcode gibt es nicht, oder er gilt nicht mehr.',
  ],
  package_not_found: [404, 'The merchant has no package for this shipment.'],
  payment_not_found: [404, 'There is no such payment.'],
  localization_not_found: [404, 'There is no localization for this language, or no table with this name.'],
  upload_not_found: [404, 'There is no such upload, or its file was not uploaded.'],
  picture_not_found: [404, 'There is no such picture.'],
  label_not_found: [404, 'There is no such electronic label.'],
  asset_not_found: [404, 'The reference page has no such file.'],
  method_not_allowed: [405, 'This route does not support this HTTP method.'],
  label_withdrawn: [410, 'The merchant has withdrawn this electronic label.'],
  payload_too_large: [413, 'The body is larger than 256 KB.'],
  unsupported_media_type: [415, 'The header `Content-Type` must be application/json.'],
  range_not_satisfiable: [416, 'The requested range begins after the end of the file.'],
  login_throttled: [429, 'Too many sign-ins have failed. Wait for `Retry-After` seconds before you try again.'],
  quota_exceeded: [422, 'The merchant has reached one of its quotas.'],
  order_cancelled: [409, 'The order is cancelled.', 'Diese Bestellung wurde storniert.'],
  order_paid: [409, 'The order is already paid.', 'Diese Bestellung ist bereits bezahlt.'],
  order_not_cancellable: [
    409,
    'The order can no longer be cancelled.',
    'Diese Bestellung kann nicht mehr storniert werden.',
  ],
  payment_in_progress: [
    409,
    'The payment of this order is being processed. Try again in a few seconds.',
    'Die Zahlung wird gerade bearbeitet. Bitte versuchen Sie es gleich noch einmal.',
  ],
  version_conflict: [409, 'The record has changed since you read it. Read it again and repeat the change.'],
  label_published: [
    409,
    'Vintage and alcohol cannot change any more: printed codes lead to the electronic label of this wine.',
  ],
  already_rolled_over: [409, 'The wine already has a next vintage, of another year.'],
  slug_taken: [409, 'Another record has this `path_segment`.'],
  package_needed: [409, 'New orders need this package: it is the last one, and it is not free.'],
  price_range_in_use: [409, 'A wine or product has a price for this price range and contains its name.'],
  number_taken: [409, 'The format or the next number would use a number of a document twice.'],
  name_taken: [409, 'Another record has this name.'],
  basket_already_ordered: [409, 'The basket is already ordered.', 'Dieser Warenkorb wurde bereits bestellt.'],
  not_in_this_status: [409, 'The status of the order does not allow this.'],
  payment_refunded: [409, 'Money of this order went back to the payer. The merchant has to decide about it first.'],
  credit_exceeds_invoice: [422, 'The credit exceeds what is left of the invoice.'],
  refund_not_possible: [422, 'The order was not paid at a payment provider that could refund it.'],
  item_not_found: [422, 'An item does not exist.', 'Einen der Artikel gibt es nicht mehr.'],
  item_unavailable: [422, 'An item is not for sale.', 'Dieser Artikel ist zurzeit nicht erhältlich.'],
  stock_not_counted: [422, 'The stock of the item is not counted. Set `stock` first.'],
  insufficient_stock: [
    422,
    'An item is not in stock in this quantity.',
    'Dieser Artikel ist nicht mehr in dieser Menge vorrätig.',
  ],
  file_invalid: [422, 'The uploaded file cannot be used.'],
  label_incomplete: [422, 'The electronic label cannot be published: facts are missing.'],
  reference_not_found: [422, 'A referenced record does not exist.'],
  basket_not_found: [422, 'There is no such basket.', 'Dieser Warenkorb ist nicht mehr verfügbar.'],
  empty_order: [422, 'An order needs at least one wine or product.', 'Der Warenkorb ist leer.'],
  price_mismatch: [
    422,
    'The totals in the request differ from the calculated totals.',
    'Die Summe der Bestellung hat sich geändert. Bitte prüfen Sie die Bestellung noch einmal.',
  ],
  rebate_invalid: [
    422,
    'The amounts of a rebate do not add up, or match no tax rate of the order.',
    'Ein Nachlass passt nicht zur Bestellung.',
  ],
  rebate_exceeds_total: [
    422,
    'The rebates exceed the value of the goods.',
    'Ein Nachlass ist größer als der Warenwert.',
  ],
  price_inconsistent: [
    422,
    'The amounts `gross`, `net` and `tax` do not match each other and the `taxrate`.',
    'Ein Preis ist falsch hinterlegt. Bitte wenden Sie sich an uns.',
  ],
  payment_type_not_allowed: [
    422,
    'The merchant does not offer this payment type.',
    'Diese Zahlungsart bieten wir nicht an.',
  ],
  country_not_served: [
    422,
    'The merchant does not ship to the country of the delivery address.',
    'In dieses Land liefern wir nicht.',
  ],
  redirect_url_invalid: [422, 'The redirect URLs must be absolute https URLs of the shop.'],
  payment_mismatch: [422, 'The payment does not belong to this order.'],
  payment_not_approved: [422, 'The payer has not approved the payment.'],
  payment_declined: [422, 'The payment was declined.'],
  invoice_incomplete: [
    422,
    'The document lacks particulars that it must have.',
    'Dieses Dokument ist noch unvollständig. Bitte wenden Sie sich an den Händler.',
  ],
  amount_mismatch: [422, 'The paid amount differs from the total of the order.'],
  idempotency_key_reused: [422, 'The `Idempotency-Key` was already used for a different request.'],
  internal_error: [500, 'The service failed. Quote the `request_id` when you report the failure.'],
  payment_provider_error: [
    502,
    'The payment provider refused the request or could not be reached.',
    'Der Zahlungsdienst hat einen Fehler gemeldet. Bitte versuchen Sie es noch einmal.',
  ],
  temporarily_unavailable: [
    503,
    'The service is overloaded. Repeat the request in a few seconds.',
    'Der Shop ist gerade überlastet. Bitte versuchen Sie es gleich noch einmal.',
  ],
  payment_provider_timeout: [
    504,
    'The payment provider did not answer in time.',
    'Der Zahlungsdienst antwortet nicht. Bitte versuchen Sie es noch einmal.',
  ],
} as const satisfies Record<string, readonly [status: number, sentence: string, german?: string]>

export type ErrorWord = keyof typeof errors

/** The error words of every route: the request cannot be read or is invalid, or the service fails. */
export const commonErrors = [
  'method_not_allowed',
  'unsupported_media_type',
  'payload_too_large',
  'invalid_json',
  'json_too_deep',
  'validation_failed',
  'field_not_writable',
  'temporarily_unavailable',
  'internal_error',
] as const satisfies readonly ErrorWord[]

/** The further error words of Service routes: the request has no valid session. */
export const sessionErrors = [
  'token_missing',
  'token_malformed',
  'token_invalid',
  'token_expired',
] as const satisfies readonly ErrorWord[]

/** The further error word of Service routes that require the role desk. */
export const roleErrors = ['role_missing'] as const satisfies readonly ErrorWord[]

/** The further error word of routes that a client's token narrows to its own records. */
export const clientErrors = ['client_token_invalid'] as const satisfies readonly ErrorWord[]

/** The further error words of routes that require a signed-in client. */
export const ownClientErrors = ['client_token_missing', ...clientErrors] as const satisfies readonly ErrorWord[]

/** The further error word of routes that count in a merchant's quota. */
export const quotaErrors = ['quota_exceeded'] as const satisfies readonly ErrorWord[]

/** The further error word of webhooks: the event has no valid signature. */
export const webhookErrors = ['webhook_signature_invalid'] as const satisfies readonly ErrorWord[]

/** A rule for a value: `rule` is its stable word in `fields`, `expected` completes "must be …". */
export type Rule = { rule: string; expected: string }

/** A bad field of a request: its path and the broken rule; for an item of an order or basket also its goods. */
export type BadField = Rule & { path: string; item_type?: string; item_id?: number }

// German labels of the form fields that buyers fill in.
const formLabels: Readonly<Record<string, string>> = {
  mail: 'E-Mail',
  username: 'E-Mail',
  password: 'Passwort',
  gender: 'Anrede',
  title: 'Titel',
  first_name: 'Vorname',
  last_name: 'Nachname',
  name: 'Name',
  company: 'Firma',
  address: 'Straße und Hausnummer',
  address_supplement: 'Adresszusatz',
  zip: 'Postleitzahl',
  city: 'Ort',
  countrycode: 'Land',
  phone: 'Telefon',
  client_remark: 'Bemerkung',
}

/** Returns a German sentence with the form fields that a buyer must correct; undefined if no bad field is among them. */
const germanOfFields = (fields: readonly BadField[]): string | undefined => {
  const names = fields.flatMap(({ path, rule }) => {
    // An address without a name is reported as a whole.
    return formLabels[rule === 'named' ? 'name' : (path.split('.').at(-1) ?? '')] ?? []
  })
  return names.length > 0 ? `Bitte prüfen Sie Ihre Angaben: ${[...new Set(names)].join(', ')}.` : undefined
}

/**
 * A refusal of the contract; the HTTP layer turns it into the error response. It never contains received values. Each word
 * has one status, except two: quota_exceeded is 422 for too many records and 429 for too many requests, basket_not_found
 * is 422 if an order names the basket and 404 if the request is about the basket.
 */
export class Problem extends Error {
  readonly word: ErrorWord
  readonly status: number
  readonly fields: readonly BadField[]
  readonly headers: Readonly<Record<string, string>>
  /** Why the word applies, for the log alone: the reason that was given, else the broken rules or the details. */
  readonly because: string | undefined
  /** Further top-level fields of the response. */
  readonly topLevel: Readonly<Record<string, unknown>>
  /** The response as HTML, for browsers; undefined for JSON. */
  readonly page: string | undefined
  readonly #about: string | undefined
  readonly #german: string | undefined

  /**
   * `details` and `german` replace the default sentences of the word. `about` is the name of the goods of the refusal; the
   * default German sentence begins with it. `because` is logged and never sent: it distinguishes the places that throw a word,
   * and contains no received value, secret or address.
   */
  constructor(
    word: ErrorWord,
    more: {
      because?: string | undefined
      details?: string
      german?: string
      about?: string | undefined
      fields?: readonly BadField[]
      headers?: Record<string, string>
      topLevel?: Readonly<Record<string, unknown>>
      page?: string
      status?: 404 | 429
    } = {},
  ) {
    super(more.details ?? errors[word][1])
    this.word = word
    this.status = more.status ?? errors[word][0]
    this.fields = more.fields ?? []
    const rules = new Set(this.fields.map(({ rule }) => rule))
    this.because = more.because ?? (rules.size > 0 ? [...rules].join(', ') : more.details)
    this.headers = more.headers ?? {}
    this.topLevel = more.topLevel ?? {}
    this.page = more.page
    this.#about = more.about
    this.#german = more.german
  }

  /** The German sentence for a buyer; undefined for a refusal that only developers read. */
  get german(): string | undefined {
    if (this.#german) return this.#german
    const [, , sentence]: readonly [number, string, string?] = errors[this.word]
    if (!sentence) return germanOfFields(this.fields)
    return this.#about ? `${this.#about}: ${sentence}` : sentence
  }
}

const typeNames: Record<string, string> = {
  Object: 'an object',
  Array: 'a list',
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  '(string | Array)': 'text or a list',
}

// The rules of valibot's own checks of a number.
const bounds: Record<string, string> = {
  min_value: 'min_value',
  max_value: 'max_value',
  min_length: 'min_items',
  max_length: 'max_items',
}

const isRule = (requirement: unknown): requirement is Rule => typeof requirement === 'function' && 'rule' in requirement

/** Returns the rule that a valibot issue reports. It comes from the schema alone and contains no received value. */
export const brokenRule = ({ kind, type, expected, requirement, path }: v.GenericIssue): Rule => {
  if (isRule(requirement)) return { rule: requirement.rule, expected: requirement.expected }
  const bound = bounds[type]
  if (bound) return { rule: bound, expected: String(requirement) }
  if (type === 'strict_object' && expected === 'never') return { rule: 'not_writable', expected: 'left out' }
  // For a missing key valibot reports the key in quotes as `expected`.
  if (/^(strict_|loose_)?object$/.test(type) && expected?.startsWith('"') && path)
    return { rule: 'required', expected: 'given' }
  // A variant expects `Object` if the value is no object, else a word of the list.
  if (/^(picklist|literal|variant)$/.test(type) && expected !== 'Object')
    return { rule: 'one_of', expected: (expected ?? '').replaceAll(/[()"]/g, '').replaceAll(' | ', ', ') }
  return kind === 'schema'
    ? { rule: 'type', expected: typeNames[expected ?? ''] ?? expected ?? 'another type' }
    : { rule: type, expected: 'valid' }
}

const elements = (count: string): string => `${count} element${count === '1' ? '' : 's'}`

const phrases: Record<string, (expected: string) => string> = {
  required: () => 'is required',
  not_writable: () => 'cannot be set',
  named: () => 'must have a name, last_name or company',
  billing: () => 'must have billing_id or billing',
  one_change: () => 'or `stock` must be given, not both',
  min_value: expected => `must be at least ${expected}`,
  max_value: expected => `must be at most ${expected}`,
  min_items: expected => `must have at least ${elements(expected)}`,
  max_items: expected => `must have at most ${elements(expected)}`,
  max_fields: expected => `must have at most ${expected} fields`,
  max_terms: expected => `must name at most ${expected} fields`,
  max_bytes: expected => `is too long: a record can have ${expected}`,
  one_of: expected => `must be one of ${expected}`,
}

const subjectOf = (path: string): string => (path ? `\`${path}\`` : 'The body')

/** A sentence about a bad field, such as "`quantity` must be at least 1." */
const sentenceOf = ({ path, rule, expected }: BadField): string =>
  `${subjectOf(path)} ${phrases[rule]?.(expected) ?? `must be ${expected}`}.`

/** The maximum number of fields that a refusal lists. */
export const maxFields = 20

/**
 * A refusal over bad fields: up to 20 of them are listed; its sentence describes the first field and counts the others.
 * `about` is the name of the goods that the first field is about.
 */
export const fieldsProblem = (
  word: ErrorWord,
  fields: readonly BadField[],
  { about, because, german }: { about?: string | undefined; because?: string | undefined; german?: string } = {},
): Problem => {
  const listed = fields.slice(0, maxFields)
  const [first] = listed
  const others = listed.length > 1 ? ` \`fields\` lists ${listed.length - 1} more.` : ''
  const subject = about ? `${about}: ` : ''
  const details = first && { details: subject + sentenceOf(first) + others }
  return new Problem(word, { ...details, because, about, fields: listed, ...(german && { german }) })
}

/** The refusal of an invalid request: field_not_writable if a field cannot be set, else validation_failed. */
export const validationProblem = (fields: readonly BadField[]): Problem =>
  fieldsProblem(fields.some(({ rule }) => rule === 'not_writable') ? 'field_not_writable' : 'validation_failed', fields)
