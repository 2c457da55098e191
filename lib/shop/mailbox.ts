import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Cookies } from './cookies.ts'

/** A mail of the shop; a visitor gets only mails with the same `about`. */
export type Mail = { about: string; to: string; subject: string; text: string; link?: string }

/** Replaces a mail server: shows each visitor the mails that it caused. */
export type Mailbox = {
  send(cookies: Cookies, mail: Mail): void
  read(cookies: Cookies): (Mail & { sent: string })[]
}

const maxVisitors = 1000
const maxMails = 30

const localHosts = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * A mailbox in memory. It shows links to new passwords to the browser that requested them, which is safe on the shop's own
 * machine only: throws a RangeError for any other origin.
 */
export const newMailbox = (origins: readonly string[]): Mailbox => {
  const other = origins.find(origin => !localHosts.test(new URL(origin).hostname))
  if (other)
    throw new RangeError(
      `the shop shows mails to the browser that requested them, so it runs on this machine only, not at ${other}`,
    )
  const mails = new LRUCache<string, (Mail & { sent: string })[]>({ max: maxVisitors })
  const read = (cookies: Cookies) => mails.get(cookies.get('mailbox') ?? '') ?? []
  return {
    read,
    send: (cookies, mail) => {
      const sent = read(cookies)
      if (sent.some(({ about }) => about === mail.about)) return
      const owner = cookies.get('mailbox') ?? randomUUID()
      cookies.set('mailbox', owner)
      mails.set(owner, [{ ...mail, sent: new Date().toISOString() }, ...sent].slice(0, maxMails))
    },
  }
}
