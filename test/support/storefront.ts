import { type Answer, call, type Json } from './harness.ts'

/** What a storefront of this interface sends with every request. */
const agent = { 'user-agent': 'api-connector', origin: 'shop.example' }

/**
 * A shop as existing software is one: every Service body carries `filter` and `inshop`, numbers come as text, the session
 * of its visitor is checked before each page. Answers of 5xx end the page, as they do there.
 */
export class Storefront {
  /** Requests so far, by route. */
  readonly asked: string[] = []
  basket: string | false = false
  client: string | undefined
  private token = ''
  private readonly credentials: { token: string; authid: string }

  constructor(credentials: { token: string; authid: string }) {
    this.credentials = credentials
  }

  private async send(path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
    this.asked.push(path)
    const answer = await call(path, body, { headers: { ...agent, ...headers } })
    if (answer.status >= 500) throw new Error(`the page dies: ${path} answers ${answer.status} ${answer.text}`)
    return answer
  }

  /** A Service request; a refusal is false to the page, as to the client's code. */
  async ask(route: string, body: object = {}, isClients = false): Promise<Json> {
    const { status, json } = await this.answer(route, body, isClients)
    return status === 200 ? json : false
  }

  /** A Service request with its whole answer. */
  answer(route: string, body: object = {}, isClients = false): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${this.token}`,
      ...(isClients && this.client !== undefined && { 'client-authorization': this.client }),
    }
    return this.send(`/service/${route}`, { filter: { shop: true }, inshop: true, ...body }, headers)
  }

  async signIn(): Promise<void> {
    if (this.token && (await this.ask('check/login'))) return
    const { json } = await this.send('/service/login', { ...this.credentials, filter: { shop: true }, inshop: true })
    this.token = json.token
  }

  async localization(language = 'de'): Promise<Json> {
    const path = `/localization/${language}`
    this.asked.push(path)
    return (await call(path, {}, { method: 'GET', headers: agent })).json
  }

  /** The basket of the visitor; a new one where that is ordered by now, as shops open one. */
  async openBasket(): Promise<Json> {
    const found = this.basket && (await this.ask('baskets/get', { uuid: this.basket }, true))
    if (found) return found.data
    const { data } = await this.ask('baskets/add')
    this.basket = data.uuid
    return data
  }

  /** What every page asks for before its own requests; answers what its templates read. */
  async page(): Promise<Json> {
    await this.signIn()
    return {
      basket: await this.openBasket(),
      labels: await this.localization(),
      wines: (
        await this.ask(
          'wines/getAll',
          { language: 'de', cluster: ['type', 'taste_id', 'vintage', 'grapetypeIds'] },
          true,
        )
      ).wines,
      categories: (await this.ask('categories/getAll', {}, true)).categories,
      merchant: (await this.ask('customers/getMy')).data,
      payments: (await this.ask('customers/availablePayments')).payments,
      ...(this.client !== undefined && { client: (await this.ask('clients/get', {}, true)).data }),
    }
  }

  /** Puts goods into the basket, or changes them, as a page's script does. */
  async put(item_type: string, item_id: unknown, quantity: unknown): Promise<Json> {
    const done = await this.ask(
      'baskets/addItem',
      { uuid: this.basket, data: { item_type, item_id: String(item_id), quantity: String(quantity) } },
      true,
    )
    return done && this.openBasket()
  }
}
