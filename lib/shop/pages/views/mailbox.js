import { html } from '/shop/vendor/preact.js'
import { get } from '../api.js'
import { useLoad, useShop } from '../context.js'
import { Failed, Heading, Loading } from '../parts/states.js'

/** The mails that a shop with a mail server would have sent to this visitor. */
export const View = () => {
  const { t, format } = useShop()
  const { data, error, reload } = useLoad('mailbox', signal => get('mailbox', {}, signal))
  if (error) return html`<${Failed} error=${error} retry=${reload} />`
  if (!data) return html`<${Loading} />`
  return html`<div class="prose"><${Heading} title=${t.mailbox.title} />
    <div class="notice"><p>${t.mailbox.lead}</p></div>
    ${data.mails.length === 0 && html`<p>${t.mailbox.none}</p>`}
    <ul class="mails">
      ${data.mails.map(
        ({ about, to, subject, text, link, sent }) => html`<li key=${about} class="panel">
          <h2>${subject}</h2>
          <p class="small">${t.mailbox.to} ${to} · ${format.time(sent)}</p>
          <p class="mail-text">${text}</p>
          ${link && html`<p><a class="button quiet" href=${link}>${t.mailbox.open}</a></p>`}
        </li>`,
      )}
    </ul></div>`
}
