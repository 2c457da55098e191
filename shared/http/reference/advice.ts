import type { ErrorWord } from '../../contract/errors.ts'

/** What each error word means to a caller: when it comes, and what to do about it. One or two sentences of plain text. */
export const advice: Readonly<Record<ErrorWord, string>> = {
  invalid_json:
    'The body cannot be parsed, or is not UTF-8. Send one JSON object as UTF-8; repeating the same bytes does not help.',
  json_too_deep:
    'Objects and lists in the body stand more than 32 levels deep inside each other. Send a flatter body: no field that a route reads lies deeper than a handful.',
  validation_failed:
    'Values have the wrong type, form or size. `fields` names each with the rule it breaks: correct those before you send the request again, and show a buyer only those typed in a form.',
  field_not_writable:
    'The data holds keys that the record does not have, or that the service sets by itself. Leave out the fields that `fields` names with the rule `not_writable`.',
  missing_identifier:
    'None of the keys was sent that could name the record. Send one of those that `details` names, such as `id`, `uuid` or `path_segment`.',
  identifier_conflict:
    'Two values that should name the same record name different ones, or an address is typed beside the id of another. Send one of the two; of an order, `fields` may name which.',
  nothing_to_change:
    'An edit holds no field that could be changed: `data` is empty, or holds nothing but `version`. Skip the call when a form was sent unchanged.',
  login_failed:
    'Which of the three reasons it is, is not told, nor whether the client is switched off. Show the form again and offer to reset the password.',
  client_login_throttled:
    'After 20 failed sign-ins with this mail within 15 minutes, one a minute is tried, whatever its password. Ask the buyer to wait for `Retry-After` seconds or to reset the password. A shop that sends `caller` with each sign-in spares buyers who signed in from there before.',
  mail_taken:
    'Somebody else has an account with this mail, so it can neither be registered nor become the mail of another client. Offer signing in or `clients/getPasswordHash` instead.',
  hash_invalid:
    'A hash lives 24 hours, works once, and ends with a new password or mail; one of `clients/register` only activates, one of `clients/getPasswordHash` only resets. Have a new one made by the route that fits, and mail it.',
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
  client_token_missing:
    'The route is about a merchant’s client, and nobody but the merchant is signed in. Lead the buyer to the sign-in page, then send the token of `clients/login` along.',
  client_token_invalid:
    'The client’s sign-in is over after 12 hours, by `clients/logout`, by a new password, or because the client is gone, inactive or another merchant’s. Forget the token and let the buyer sign in again; the merchant’s own session is not affected.',
  credentials_invalid:
    'No live API token belongs to this AuthID in this form; which of both is wrong is not told. Compare both with what the merchant tool printed; do not repeat the call unchanged, because failures are counted.',
  route_not_found:
    'The path is misspelled or belongs to a module that this service does not have. Paths are case-sensitive and have no slash at their end.',
  order_not_found:
    'The merchant, or the client who is signed in, has no order with this id or uuid. Do not retry; show the buyer the list of orders instead.',
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
  campaign_not_found:
    'The service has no discount codes. Show the buyer `details`, which is in the language of the request or of the merchant.',
  package_not_found:
    'The merchant has no packages, no bottle was asked for, or the cost of sending them would be too large to be written. Show no shipping cost; an order of nothing that needs packing is taken without a package.',
  payment_not_found:
    'The uuid or external id names no payment of this merchant. Take it from the `pid` of the return URL or from `payment.uuid` of `orders/add`.',
  localization_not_found:
    'There are the languages `de` and `en`, and the tables that `/localization/de` has as its keys. Fall back to one of them.',
  picture_not_found:
    'The path is not one that a record shows as `image`. Read the record again; where `image` is null, show a picture of your own.',
  asset_not_found:
    'Only the page at `/docs` asks for these files, by the names that it holds. Load that page anew; it may be from before a deployment.',
  method_not_allowed:
    'The path is right, the method is not: the `Allow` header names those that the route answers. Service routes answer POST alone.',
  payload_too_large:
    'The body has more than 262,144 bytes, or a record would grow beyond what can be stored, or an answer beyond what can be sent: `details` says which. Shorten texts, send fewer items, or ask with a smaller `pageSize`.',
  unsupported_media_type:
    'Bodies are JSON alone. Set `Content-Type: application/json`, or leave the header out; forms and XML are not read.',
  range_not_satisfiable:
    'The `Range` header begins behind the end of the PDF. Ask without it, or within the size that `Content-Range` tells.',
  login_throttled:
    'More than 20 sign-ins failed within 15 minutes from this address or for this AuthID. Stop retrying and correct the credential: the right one is taken even now, and after `Retry-After` seconds the count begins anew.',
  quota_exceeded:
    'With status 429 the merchant’s requests or sign-ins come too fast: nothing was done, repeat after `Retry-After` seconds. With 422 it has as many records as it may: repeating does not help, the operator can raise the quota.',
  order_cancelled:
    'Somebody cancelled the order, or the sweep did because nobody paid within a day; money that arrived all the same is given back. Do not retry; offer the buyer to order again, the basket is open for that.',
  order_paid:
    'What was asked for ends where money has arrived: the order can neither be cancelled nor replaced nor paid by another payment. Read it by `orders/get` and show the buyer that it is paid; giving money back is the merchant’s step.',
  order_not_cancellable:
    'The order is shipped, closed or being handled by hand, or its payment waits for a person to decide. Do not retry; refer the buyer to the merchant.',
  payment_in_progress:
    'Another request, an event of the provider or the sweep is taking the money at this moment. Repeat the same request after `Retry-After` seconds; after a minute at the latest the outcome can be told.',
  version_conflict:
    'The `version` sent with an edit is not the present one. Read the record, apply the change to what it says now, and send it with the new version, or without one to overwrite.',
  slug_taken:
    'The given name in URLs is in use. Choose another, or leave `path_segment` out: then a free one is made from the name.',
  basket_already_ordered:
    'The basket became an order by another request, which is on its way. Do not send it again: show that order, and open a new basket by `baskets/add`.',
  item_not_found:
    'A wine, product or package named by the request is none of this merchant’s, or the basket has no such item any more. Read the basket again, take out what `fields` names, and tell the buyer.',
  item_unavailable:
    'Wines or products are inactive, marked `nostock`, or with `inshop` not in the shop. `fields` names each of them: take them out and let the buyer confirm the rest.',
  insufficient_stock:
    'More is asked for than is left; nothing was stored. `fields` names each item with what can still be had as `expected`: offer the buyer that quantity.',
  reference_not_found:
    'The request names by id a client, address, winery, category, price range or original wine that the merchant does not have. `fields` says where: choose another or leave it out.',
  basket_not_found:
    'The basket does not exist, was not touched for 90 days, or its order is on its way. Open a new one by `baskets/add` and fill it; with 422 an order names the basket, with 404 the request is about it.',
  empty_order:
    'Neither `items` nor the basket holds any goods; packages and rebates alone make no order. Send the buyer back to the basket.',
  price_mismatch:
    'The `net`, `tax` or `gross` sent as a check are not what the catalogue comes to, often because a price changed meanwhile. `fields` holds the expected totals, and items whose price changed: show the buyer the new sum and send that, or no totals.',
  rebate_invalid:
    'The net, tax and gross of a rebate do not add up, or fit none of the order’s tax rates. Split it by tax rate as the goods are, or reckon its tax from one of those rates.',
  rebate_exceeds_total:
    'At some tax rate the rebates together are worth more than goods and package. Lower the rebate that `fields` names to what is left.',
  price_inconsistent:
    'Of a wine: send gross alone, or amounts of which net and tax add up to gross at the tax rate. Of an order: a record’s own price is no amount; the merchant must fix that record.',
  payment_type_not_allowed:
    'The merchant has not switched this way to pay on, or has no provider yet that could take such a payment. Offer the buyer what `expected` in `fields` names; `customers/availablePayments` lists what is switched on.',
  redirect_url_invalid:
    'A payment at a provider needs `return_url` and `cancel_url`: with https (http on localhost alone), without user and fragment, and at a host that the merchant allows. Correct the shop’s configuration; the buyer can do nothing.',
  payment_mismatch:
    'The `payment_id`, `external_id`, `payer_id` or `payment_type` is not that of this order’s payment. Send them as the return URL brought them, or call `payments/execute` with the payment’s uuid alone.',
  payment_not_approved:
    'The buyer has not confirmed at the provider yet, or left it before. Nothing was taken; send the buyer to `targetUrl` again, or cancel the order.',
  payment_declined:
    'The provider did not take the money; `details` holds its reason if it gave one. The order stays open: let the buyer try again at `targetUrl`, or order the same basket with another way to pay.',
  amount_mismatch:
    'The provider speaks of another amount or currency than the order costs; nothing more is taken. Do not retry: tell the buyer that the merchant looks into it, who accepts the money or gives it back.',
  idempotency_key_reused:
    'Within 48 hours the same key came with other data. Make a new key for each new order, and use one again only to repeat the same request.',
  internal_error:
    'The service has a fault, or lost something it needs. Repeat a reading request once; an order only with its `Idempotency-Key` or its basket, so that it cannot be placed twice; report the `request_id` if it stays.',
  payment_provider_error:
    'The provider refused, or could not be reached. After `orders/add` the order is cancelled and the basket free: order again later, or with another way to pay. After `orders/checkout/finish` repeat the same request; the money is taken once at most.',
  temporarily_unavailable:
    'Too much was written at the same moment, or the answer would have come too late. Repeat the same request after `Retry-After` seconds, with growing pauses after that; an order with its `Idempotency-Key` or its basket.',
  payment_provider_timeout:
    'What became of the payment is not known. After `orders/checkout/finish` show it as pending and repeat the request after a few seconds, or leave it to the sweep; after `orders/add` the order is cancelled and may be placed again.',
}
