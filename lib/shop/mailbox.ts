import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Cookies } from './cookies.ts'

/** A mail that a shop would send; `about` is what it is about: the same is not sent twice. */
export type Mail = { about: string; to: string; subject: string; text: string; link?: string }

/** In place of a mail server: each visitor finds the mails that it caused itself. */
export type Mailbox = {
  send(cookies: Cookies, mail: Mail): void
  read(cookies: Cookies): (Mail & { sent: string })[]
}

const mostVisitors = 1000
const mostMails = 30

const ownHosts = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * A mailbox in memory. It shows mails, with their links to new passwords, to the browser that asked for them, which only
 * the shop's own machine may: throws a RangeError for any other origin.
 */
export const newMailbox = (origins: readonly string[]): Mailbox => {
  const other = origins.find(origin => !ownHosts.test(new URL(origin).hostname))
  if (other)
    throw new RangeError(
      `the shop shows mails to the browser that asked for them, so it runs on this machine alone, not at ${other}`,
    )
  const mails = new LRUCache<string, (Mail & { sent: string })[]>({ max: mostVisitors })
  const read = (cookies: Cookies) => mails.get(cookies.get('mailbox') ?? '') ?? []
  return {
    read,
    send: (cookies, mail) => {
      const sent = read(cookies)
      if (sent.some(({ about }) => about === mail.about)) return
      const owner = cookies.get('mailbox') ?? randomUUID()
      cookies.set('mailbox', owner)
      mails.set(owner, [{ ...mail, sent: new Date().toISOString() }, ...sent].slice(0, mostMails))
    },
  }
}
