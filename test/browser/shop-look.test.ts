import type { Page } from 'playwright-core'
import { barriers, inBrowser, visitor } from '../support/browser.ts'
import {
  asDesk,
  asMerchant,
  buyer,
  centsIn,
  choose,
  fillAddress,
  goToCheckout,
  headed,
  newMail,
  openBasket,
  ordersOf,
  putIntoBasket,
  said,
} from '../support/demo-shop.ts'
import { eventually } from '../support/eventually.ts'

/** Returns the number of hits; waits until it differs from `before`. */
const found = async (page: Page, before?: number): Promise<number> => {
  const heading = page.getByRole('heading', { level: 2, name: /^[\d.]+ Weine?\b/ })
  const text = await heading.filter({ hasNotText: new RegExp(`^${before} `) }).innerText()
  return Number(/^\d+/.exec(text)?.[0])
}

const inDialog = "document.activeElement.closest('dialog') !== null"

const cards = (page: Page) => page.getByRole('main').getByRole('article')

inBrowser('a visitor who looks for a wine', () => {
  test('finds it from every page by its name, and by facets with correct counts', async () => {
    const { page } = await visitor('/shop/imprint')
    await headed(page, 'Impressum')
    const search = page.getByRole('combobox', { name: 'Wein suchen' })
    await search.fill('riesling')
    await page.getByRole('button', { name: 'Suchen' }).click()
    await headed(page, 'Unsere Weine')
    expect(await search.inputValue()).toBe('riesling')
    const rieslings = await found(page)
    await search.fill('riesling kabinett')
    await search.press('Enter')
    const ofBoth = await found(page, rieslings)
    expect(ofBoth).toBeLessThan(rieslings)
    expect(ofBoth).toBeGreaterThan(0)
    expect(await cards(page).count()).toBe(Math.min(ofBoth, 24))
    expect(new URL(page.url()).searchParams.get('q')).toBe('riesling kabinett')

    // The words became filters, each of which can be removed.
    await page.getByText('„riesling kabinett“ haben wir so verstanden:').waitFor()
    await page.getByRole('button', { name: 'Kabinett entfernen' }).click()
    const german = await found(page, ofBoth)
    await page.getByRole('button', { name: 'Deutschland entfernen' }).click()
    expect(await found(page, german)).toBe(rieslings)
    await page.getByRole('button', { name: 'Riesling entfernen' }).click()
    const all = await found(page, rieslings)
    expect(await search.inputValue()).toBe('')

    const countries = page.getByRole('group', { name: 'Land' })
    await countries.getByRole('button', { name: /^Alle \d+ anzeigen/ }).click()
    const values = (await countries.getByRole('listitem').allInnerTexts()).map(text => /^(.*) \((\d+)\)$/.exec(text))
    const [, country = '', count = ''] = values.find(value => Number(value?.[2]) > 1 && Number(value?.[2]) < 20) ?? []
    await countries.getByRole('checkbox', { name: `${country} (${count})` }).check()
    expect(await found(page, all)).toBe(Number(count))
    expect(await cards(page).count()).toBe(Number(count))
    for (const text of await cards(page).allInnerTexts()) expect(text).toContain(country)
    await page.getByRole('button', { name: `${country} entfernen` }).click()
    expect(await found(page, Number(count))).toBe(all)
  })

  test('gets suggestions of wines, grapes and countries, chooses one by keyboard, and the layout does not shift', async () => {
    for (const width of ['phone', 'desktop'] as const) {
      const { page } = await visitor('/shop/imprint', { width })
      await headed(page, 'Impressum')
      const search = page.getByRole('combobox', { name: 'Wein suchen' })
      const options = page.getByRole('listbox', { name: 'Vorschläge' }).getByRole('option')
      expect(await search.getAttribute('aria-expanded')).toBe('false')
      await search.pressSequentially('ital')
      await options.first().waitFor()
      expect(await search.getAttribute('aria-expanded')).toBe('true')
      await page
        .getByRole('status')
        .getByText(/Vorschl/)
        .waitFor()
      expect(await barriers(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
      expect(await shiftOf(page)).toBeLessThan(0.01)

      await search.press('ArrowDown')
      const chosen = page.getByRole('option', { selected: true })
      expect(await chosen.innerText()).toMatch(/^Italien\s+Land · \d+ Weine$/)
      expect(await search.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))
      await search.press('ArrowUp')
      expect(await chosen.count()).toBe(0)
      await search.press('Escape')
      await options.first().waitFor({ state: 'hidden' })
      expect(await search.inputValue()).toBe('ital')

      await search.press('i')
      await options.first().waitFor()
      await search.press('ArrowDown')
      const [, count] = /(\d+) Weine/.exec(await chosen.innerText()) ?? []
      await search.press('Enter')
      await headed(page, 'Unsere Weine')
      expect(new URL(page.url()).search).toBe('?countrycode=it')
      expect(await found(page)).toBe(Number(count))

      await search.fill('baro')
      const wine = options.filter({ hasText: /^Barolo/ }).first()
      const name = await wine.locator('span').innerText()
      await wine.click()
      await headed(page, name)
    }
  })

  test('sees the nearest spelling and the filters to remove if there are no hits, and a notice for a page that does not exist', async () => {
    const { page } = await visitor('/shop/wines?q=reisling&type=red', { width: 'phone' })
    await page.getByText('Zu „reisling“ haben wir nichts gefunden.').waitFor()
    expect(await barriers(page)).toEqual([])
    await page.getByRole('main').getByRole('link', { name: 'Riesling', exact: true }).click()
    expect(await found(page, 0)).toBeGreaterThan(0)

    await page.goto('/shop/wines?q=barolo&type=white&countrycode=it')
    const drop = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: /^ohne Weißwein/ })
    const [, count] = /\((\d+) Weine?\)/.exec(await drop.innerText()) ?? []
    await drop.getByRole('link').click()
    expect(await found(page, 0)).toBe(Number(count))

    await page.goto('/shop/wines?page=9999')
    await page.getByText('Diese Liste hat keine Seite 9999.').waitFor()
    await page.getByRole('link', { name: /^Zur letzten Seite/ }).click()
    await cards(page).first().waitFor()
  })

  test('filters the list on a phone in a dialog that keeps the focus, shows the number of wines, and closes', async () => {
    const { page } = await visitor('/shop/wines', { width: 'phone' })
    const open = page.getByRole('button', { name: 'Filter', exact: true })
    await open.click()
    const sheet = page.getByRole('dialog', { name: 'Filter' })
    const all = await found(page)
    await sheet.getByRole('button', { name: `${all} Weine anzeigen` }).waitFor()
    for (let n = 0; n < 60; n++) {
      await page.keyboard.press('Tab')
      // Beyond the last control is the browser's own window, which Chromium calls the body.
      expect(await page.evaluate(`document.activeElement === document.body || ${inDialog}`)).toBe(true)
    }
    const prices = sheet.getByRole('group', { name: 'Preis' }).getByRole('checkbox', { name: /^10 € bis unter 15 €/ })
    await prices.check()
    const left = await found(page, all)
    await sheet.getByRole('button', { name: `${left} Weine anzeigen` }).waitFor()
    expect(await page.evaluate(inDialog)).toBe(true)
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    const again = page.getByRole('button', { name: 'Filter (1)' })
    await again.and(page.locator(':focus')).waitFor()
    for (const text of await cards(page).allInnerTexts()) {
      expect(centsIn(text)).toBeGreaterThanOrEqual(1000)
      expect(centsIn(text)).toBeLessThan(1500)
    }
    await again.click()
    await sheet.getByRole('button', { name: `${left} Weine anzeigen` }).click()
    await sheet.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: '10 € bis unter 15 € entfernen' }).click()
    expect(await found(page, left)).toBe(all)
  })

  test('follows links from a wine to its winery, region, grape, country and similar wines, without a layout shift', async () => {
    const { page } = await visitor('/shop/wines?q=riesling&countrycode=de&type=white')
    await cards(page).first().getByRole('heading').getByRole('link').click()
    const rows = page.getByRole('region', { name: /^Riesling unter 15 €$/ })
    await rows.getByRole('article').first().waitFor()
    expect(await shiftOf(page)).toBeLessThan(0.01)
    const own = new URL(page.url()).pathname
    expect(await linksOfCards(page)).not.toContain(own)
    // All cards are equally wide, even a single one.
    const boxes = await Promise.all((await cards(page).all()).map(card => card.boundingBox()))
    expect(new Set(boxes.map(box => Math.round(box?.width ?? 0))).size).toBe(1)
    const wine = page.url()
    for (const [term, parameter] of [
      ['Weingut', 'winery_id'],
      ['Region', 'region'],
      ['Rebsorten', 'grapetypeIds'],
      ['Land', 'countrycode'],
    ] as const) {
      const name = await said(page, term)
      await page.getByRole('definition').getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { name: /^\d+ Weine?\b/ }).waitFor()
      expect(new URL(page.url()).searchParams.get(parameter)).toMatch(/^\w+$/)
      await page.getByRole('button', { name: `${name} entfernen` }).waitFor()
      await page.goto(wine)
      await rows.getByRole('article').first().waitFor()
    }
  })

  test('sees the same name of a type in the navigation, the facet and the list', async () => {
    const { page } = await visitor('/')
    for (const name of ['Rotwein', 'Weißwein', 'Rosé', 'Schaumwein']) {
      await page.getByRole('navigation', { name: 'Sortiment' }).getByRole('link', { name, exact: true }).click()
      await page.getByRole('button', { name: `${name} entfernen` }).waitFor()
      await cards(page).filter({ hasText: name }).nth(23).waitFor()
    }
  })

  test('sees its facts, the full price, the legal information and the sheet, also in English', async () => {
    const { page } = await visitor('/shop/wines?q=riesling&type=white')
    // The first wine lacks its allergens.
    const card = cards(page).nth(1)
    const link = card.getByRole('heading', { level: 3 }).getByRole('link')
    const name = await link.innerText()
    const listed = centsIn(await card.innerText())
    await link.click()
    await headed(page, name)
    const main = await page.getByRole('main').innerText()
    const price = centsIn(main)
    expect(price).toBe(listed)
    expect(main).toContain('inkl. 19 % MwSt., zzgl. Versand')
    const base = await page
      .getByText(/^Grundpreis .* je Liter$/)
      .first()
      .innerText()
    const litres = Number((await said(page, 'Füllmenge')).replace(' l', '').replace(',', '.'))
    expect(centsIn(base)).toBe(Math.round(price / litres))
    expect(await said(page, 'Allergene')).toContain('Enthält Sulfite')
    expect(await said(page, 'Alkohol')).toMatch(/^\d+(,\d)? % vol$/)
    expect(await said(page, 'Rebsorten')).toContain('Riesling')
    expect(await said(page, 'Weinart')).toBe('Weißwein')
    expect(await said(page, 'Erzeuger')).toMatch(/./)

    const picture = page.getByRole('img', { name: `Zeichnung der Flasche: ${name}` })
    expect(await picture.evaluate(image => image.decode().then(() => image.naturalWidth))).toBeGreaterThan(0)
    const sheet = await page.getByRole('link', { name: 'Expertise (PDF)' }).getAttribute('href')
    const answer = await page.request.get(sheet ?? '')
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'application/pdf'])
    expect((await answer.body()).subarray(0, 5).toString()).toBe('%PDF-')

    // Until the English labels have arrived, the whole page stays German.
    let deliver = () => {}
    const wanted = new Promise<void>(resolve => {
      deliver = resolve
    })
    const isAsked = page.waitForRequest(/\/localization\/en$/)
    await page.route(/\/localization\/en$/, route => wanted.then(() => route.continue()))
    await page.getByRole('button', { name: 'EN English' }).click()
    await isAsked
    expect(await said(page, 'Weinart')).toBe('Weißwein')
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    deliver()
    await page.getByRole('link', { name: 'Data sheet (PDF)' }).waitFor()
    expect(await said(page, 'Allergens')).toContain('Contains sulphites')
    expect(await said(page, 'Type')).toBe('White wine')
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })
})

/** The invalid field that gets the focus, after the errors have shown, and its error. */
const focused = (page: Page) =>
  page.locator(':focus[aria-invalid=true]').evaluate(field => ({
    name: field.labels[0].textContent,
    says: field.ownerDocument.getElementById(field.getAttribute('aria-describedby'))?.textContent,
    isInvalid: field.getAttribute('aria-invalid'),
  }))

inBrowser('an invalid checkout', () => {
  test('shows an error at each field, and focuses the first field', async () => {
    const { page } = await visitor('/')
    await putIntoBasket(page)
    await page.getByRole('link', { name: 'Zum Warenkorb' }).click()
    await goToCheckout(page)
    await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
    await page.getByRole('alert').getByText('Bitte prüfen Sie die markierten Felder.').waitFor()
    expect(await focused(page)).toEqual({ name: 'E-Mail', says: 'Bitte ausfüllen.', isInvalid: 'true' })
    expect(await page.getByText('Bitte ausfüllen.').count()).toBe(6)
    await page.getByText('Bitte bestätigen Sie Ihr Alter.').waitFor()

    await page.getByLabel('E-Mail', { exact: true }).fill('keine-adresse')
    await fillAddress(page)
    await choose(page, 'Rechnung')
    await page.getByText('Bitte geben Sie eine Mailadresse an').waitFor()
    expect(await focused(page)).toMatchObject({ name: 'E-Mail', isInvalid: 'true' })
    expect(await page.getByText('Bitte ausfüllen.').count()).toBe(0)
  })

  test('names a wine that has been sold out in the meantime', async () => {
    const { page } = await visitor('/shop/wines?type=rose&sort=dear')
    const name = await putIntoBasket(page)
    const href = await page.getByRole('link', { name, exact: true }).getAttribute('href')
    const id = Number(href?.split('/')[3])
    await openBasket(page)
    await goToCheckout(page)
    await page.getByLabel('E-Mail', { exact: true }).fill(newMail())
    await fillAddress(page)
    await asMerchant('wines/edit', { id, data: { nostock: 1 } })
    try {
      await choose(page, 'Rechnung')
      await page.getByRole('alert').getByText(`${name} ist zurzeit nicht zu haben.`).waitFor()
      await page.getByRole('link', { name: 'Warenkorb ändern' }).click()
      const line = page.getByRole('main').getByRole('listitem').filter({ hasText: name })
      await line.getByText('Ausverkauft').waitFor()
      await line.getByRole('button', { name: `Entfernen ${name}` }).click()
      await page.getByText('Ihr Warenkorb ist leer.').waitFor()
    } finally {
      await asMerchant('wines/edit', { id, data: { nostock: 0 } })
    }
  })
})

inBrowser('the basket', () => {
  test('shows the stock if more bottles are requested, and resets the quantity', async () => {
    // A wine whose stock is counted.
    const { page } = await visitor('/shop/wine/3713', { width: 'phone' })
    await page.getByRole('button', { name: 'In den Warenkorb', exact: true }).click()
    await page.getByRole('link', { name: 'Warenkorb 1 Stück' }).waitFor()
    await openBasket(page)
    const quantity = page.getByRole('textbox', { name: /^Anzahl: / })
    await quantity.fill('9999')
    await page.keyboard.press('Enter')
    const refusal = page.getByRole('alert').getByText(/^Von .+ haben wir noch \d+\.$/)
    const left = Number(/(\d+)\.$/.exec(await refusal.innerText())?.[1])
    expect(await quantity.inputValue()).toBe('1')
    await quantity.fill(String(left))
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: `Warenkorb ${left} Stück` }).waitFor()
  })

  test('keeps its sum and the link to the checkout in view on a phone, and shows the amount missing for free delivery', async () => {
    const { page } = await visitor('/shop/wines?type=red&sort=cheap', { width: 'phone' })
    for (const n of [0, 1, 2]) await putIntoBasket(page, n)
    await openBasket(page)
    const checkout = page.getByRole('link', { name: 'Zur Kasse' })
    const { y = 0, height = 0 } = (await checkout.boundingBox()) ?? {}
    expect(y + height).toBeLessThanOrEqual(800)
    const total = await page
      .getByRole('complementary')
      .getByRole('paragraph')
      .filter({ hasText: /^Summe/ })
      .innerText()
    expect(centsIn(total)).toBe(centsIn(await said(page, 'Summe')))
    const bar = page.getByRole('progressbar', { name: /^Noch .* bis zum kostenfreien Versand\.$/ })
    expect(await bar.getAttribute('value')).toBe(String(centsIn(await said(page, 'Warenwert'))))
  })
})

inBrowser('pictures of bottles', () => {
  test('keep their shape and are sharp at the top of the start page, on a high-density screen too', async () => {
    for (const width of ['phone', 'desktop'] as const) {
      const { page } = await visitor('about:blank', { width, density: 2 })
      await page.goto('/')
      const shelf = page.getByRole('list', { name: 'Aus unserem Regal' }).getByRole('link')
      await shelf.first().waitFor()
      expect(await shelf.count()).toBe(4)
      const heads = await shelf.evaluateAll(links => links.map(link => link.href))
      const cards = await linksOfCards(page)
      expect(heads.filter(href => cards.includes(href))).toEqual([])
      for (const image of await shelf.getByRole('img').all()) {
        const drawn = await image.evaluate(async picture => {
          await picture.decode()
          const { objectFit } = picture.ownerDocument.defaultView.getComputedStyle(picture)
          const { width, height } = picture.getBoundingClientRect()
          const scale = { x: width / picture.naturalWidth, y: height / picture.naturalHeight }
          return { src: picture.currentSrc, objectFit, scale, height }
        })
        if (drawn.objectFit === 'fill') expect(drawn.scale.x).toBeCloseTo(drawn.scale.y, 1)
        expect(Number(/height=(\d+)/.exec(drawn.src)?.[1])).toBeGreaterThanOrEqual(Math.floor(drawn.height * 2))
      }
    }
  })

  test('of a card are as large as they are shown, and requested again if they were refused', async () => {
    const { page, faults, close } = await visitor('about:blank')
    let requests = 0
    await page.route('**/Images/wine/**', route =>
      ++requests > 3 ? route.continue() : route.fulfill({ status: 503, headers: { 'retry-after': '1' } }),
    )
    await page.goto('/shop/wines')
    const pictures = cards(page).locator('img[loading=eager]')
    await pictures.first().waitFor()
    const loaded = () =>
      pictures.evaluateAll(all => all.map(one => one.complete && one.naturalWidth > 0 && one.currentSrc))
    const sources = await eventually(loaded, all => !all.includes(false))
    expect(sources).toEqual(Array(6).fill(expect.stringMatching(/\?height=320$/)))
    await close()
    expect(faults).toEqual(Array(3).fill(expect.stringContaining('503')))
  })
})

/** The addresses of the wines on the cards of a page. */
const linksOfCards = (page: Page): Promise<string[]> =>
  cards(page)
    .getByRole('heading')
    .getByRole('link')
    .evaluateAll(links => links.map(link => link.href))

/** The cumulative layout shift. */
const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(`new Promise(resolve => {
    let sum = 0
    new PerformanceObserver(list => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value
    }).observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => resolve(sum), 200)
  })`)

inBrowser('the first page', () => {
  test('does not move while it loads, and breaks no rule of its policy', async () => {
    const { page } = await visitor('/')
    await headed(page, 'Gute Flaschen, ehrlich beschrieben')
    await page.waitForLoadState('networkidle')
    expect(await shiftOf(page)).toBeLessThan(0.01)
  })
})

/** Presses Tab until an element has the focus. */
const tabTo = async (page: Page, role: 'button' | 'link' | 'textbox' | 'radio' | 'checkbox', name: RegExp) => {
  const wanted = page.getByRole('main').getByRole(role, { name }).first()
  await wanted.waitFor()
  for (let n = 0; n < 60; n++) {
    if (await wanted.evaluate(element => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no Tab leads to the ${role} ${name}`)
}

/** Waits for a page, whose heading has the focus. */
const arrived = (page: Page, name: string) =>
  page.getByRole('heading', { name, exact: true }).and(page.locator(':focus')).waitFor()

const facts = {
  ingredients: [
    { key: 'grapes' },
    { key: 'tartaric_acid', and_or: 1 },
    { key: 'malic_acid', and_or: 1 },
    { key: 'sulphites' },
  ],
  nutrition: { glycerol: '7.0', negligible: ['fat', 'saturates', 'protein', 'salt'] },
  operator: { role: 'bottled_by', name: 'Weingut Etikett', address: 'Hauptstraße 1, 54470 Bernkastel' },
}

inBrowser('the page of a wine', () => {
  test('shows ingredients, nutrition, energy and the electronic label before the button', async () => {
    const search = { inshop: 1, filter: { type: 'white' }, orderBy: 'gross DESC', pageSize: 1 }
    const [wine] = (await asMerchant('wines/search', search)).data
    const analysis = { alcohol: '12.0', sweetness: '3.0', acid: '6.0' }
    const { info } = await asDesk('wines/edit', {
      id: wine.id,
      data: { ...analysis, facts: { ...facts, published: 1 } },
    })
    expect(info).toBe('success')
    const { label } = await asMerchant('facts/getAll', { wine_id: wine.id })
    const { page } = await visitor(`/shop/wine/${wine.id}/${wine.path_segment}`, { width: 'phone' })
    const food = page.getByRole('region', { name: 'Zutaten und Nährwerte' })
    const text = await food.innerText()
    expect(text).toContain('Trauben; Säureregulatoren: enthält Weinsäure und/oder Äpfelsäure; Konservierungsstoffe')
    expect(text).toContain('Enthält geringfügige Mengen von Fett, gesättigten Fettsäuren, Eiweiß und Salz.')
    expect(text).toContain('E (100 ml): 294 kJ / 71 kcal')
    expect(await food.getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/je 100 ml/),
      expect.stringMatching(/^Brennwert\s+294 kJ \/ 71 kcal$/),
      expect.stringMatching(/^Kohlenhydrate\s+1 g$/),
      expect.stringMatching(/^davon Zucker\s+0,3 g$/),
    ])
    expect(await food.locator('strong').allInnerTexts()).toContain('Sulfite')
    const responsible = 'Verantwortlich für die Kennzeichnung; bei Wein von außerhalb der EU Importeur'
    expect(await said(page, responsible)).toBe('Weingut Etikett, Hauptstraße 1, 54470 Bernkastel')
    expect(await food.getByRole('link', { name: 'Elektronisches Etikett' }).getAttribute('href')).toBe(label.url)
    await food.locator('xpath=following::button[.="In den Warenkorb"]').first().waitFor()
    expect(await barriers(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
  })

  test('shows nothing of a wine without facts', async () => {
    const search = { inshop: 1, filter: { type: 'white' }, orderBy: 'gross DESC', pageSize: 100 }
    for (const wine of (await asMerchant('wines/search', search)).data.toReversed()) {
      if ((await asMerchant('facts/getAll', { wine_id: wine.id })).data.length > 0) continue
      const { page } = await visitor(`/shop/wine/${wine.id}/${wine.path_segment}`)
      await page.getByRole('main').getByRole('button', { name: 'In den Warenkorb', exact: true }).waitFor()
      expect(await page.getByRole('region', { name: 'Zutaten und Nährwerte' }).count()).toBe(0)
      return
    }
    throw new Error('each wine has facts')
  })
})

inBrowser('a visitor without a mouse', () => {
  test('buys by Tab, Enter, Space and arrows', async () => {
    const mail = newMail()
    const { page } = await visitor('/')
    const { keyboard } = page
    await headed(page, 'Gute Flaschen, ehrlich beschrieben')
    await keyboard.press('Tab')
    await page.getByRole('link', { name: 'Zum Inhalt' }).and(page.locator(':focus')).waitFor()
    await keyboard.press('Enter')
    await tabTo(page, 'button', /in den Warenkorb$/)
    await keyboard.press('Enter')
    await tabTo(page, 'link', /^Zum Warenkorb$/)
    await keyboard.press('Enter')
    await arrived(page, 'Warenkorb')
    await tabTo(page, 'button', /^Eine Flasche mehr/)
    await keyboard.press('Space')
    await page.getByRole('link', { name: 'Warenkorb 2 Stück' }).waitFor()
    await tabTo(page, 'link', /^Zur Kasse$/)
    await keyboard.press('Enter')
    await arrived(page, 'Kasse')
    for (const [label, text] of Object.entries({ 'E-Mail': mail, ...buyer })) {
      await tabTo(page, 'textbox', new RegExp(`^${label}$`))
      await keyboard.type(text)
    }
    await tabTo(page, 'radio', /^Rechnung/)
    await keyboard.press('ArrowDown')
    expect(await page.getByRole('radio', { name: /^Vorkasse/ }).isChecked()).toBe(true)
    await tabTo(page, 'checkbox', /1[68] Jahre/)
    await keyboard.press('Space')
    await tabTo(page, 'button', /^Weiter zur Prüfung$/)
    await keyboard.press('Enter')
    await arrived(page, 'Prüfen und bestellen')
    await tabTo(page, 'button', /^Zahlungspflichtig bestellen$/)
    await keyboard.press('Enter')
    await arrived(page, 'Vielen Dank für Ihre Bestellung')
    expect(await ordersOf(mail)).toMatchObject([{ payment_type: 'prepaid', positions: [{ quantity: 2 }] }])
  })
})
