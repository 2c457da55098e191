// Made by `npm run client`.
// lib/client/errors.ts
var textIn = (value) => typeof value === "string" ? value : void 0;
var secondsIn = (text) => /^\d+$/.test(text ?? "") ? Number(text) : void 0;
var requestIdOf = ({ headers, body }) => textIn(body?.request_id) ?? headers.get("x-request-id") ?? headers.get("apigw-requestid") ?? void 0;
var WeinkontorError = class extends Error {
  /** The route that was called; `/service/login` when nobody could be signed in. */
  path;
  /** The HTTP status. */
  status;
  /** The error word of the contract; undefined when something before the service answered, as its gateway does. */
  word;
  /** A sentence for people, in English. */
  details;
  /** Every bad field of the request, 20 at most. */
  fields;
  /** What to quote when the answer is reported. */
  requestId;
  /** In so many seconds the request may be repeated; undefined where the answer does not say. */
  retryAfter;
  constructor(path, answer) {
    const { status, headers, body = {} } = answer;
    const { error, details, message, fields } = body;
    const word = textIn(error);
    const said = textIn(details) ?? textIn(message) ?? `The answer has the status ${status} and is none of the service.`;
    super(`${path}: ${said} (${word ?? status})`);
    this.name = "WeinkontorError";
    this.path = path;
    this.status = status;
    this.word = word;
    this.details = said;
    this.fields = Array.isArray(fields) ? fields : [];
    this.requestId = requestIdOf(answer);
    this.retryAfter = secondsIn(headers.get("retry-after"));
  }
};
var rootOf = (error) => {
  if (!(error instanceof Error)) return { code: void 0, message: String(error) };
  if (error.cause instanceof Error) return rootOf(error.cause);
  const code = textIn(error.code);
  return { code, message: error.message || (code ?? error.name) };
};
var ConnectionError = class extends Error {
  /** The route that was called. */
  path;
  /** The host that was asked, with its port. */
  host;
  /** The system's code of the failure, as ECONNREFUSED; undefined in browsers, which hide it, and after a timeout. */
  code;
  constructor(path, host, cause) {
    const { code, message } = rootOf(cause);
    super(`${path}: no answer from ${host} (${message})`, { cause });
    this.name = "ConnectionError";
    this.path = path;
    this.host = host;
    this.code = code;
  }
};
var isError = (error, ...words) => error instanceof WeinkontorError && (words.length === 0 || words.some((word) => word === error.word));

// lib/client/pages.ts
var nextStart = ({ data, totalCount, pages }, fields) => {
  if (data.length === 0) return void 0;
  if (pages.next) return pages.next.start;
  if (fields.start !== void 0 && fields.start !== null) return void 0;
  const end = (pages.current - 1) * pages.size + data.length;
  return end < totalCount ? end : void 0;
};
async function* pagesOf(ask, fields) {
  const { page: _, ...lasting } = fields;
  let asked = fields;
  let before = -1;
  while (true) {
    const answer = await ask(asked);
    yield answer;
    const start = nextStart(answer, asked);
    if (start === void 0) return;
    if (start <= before) throw new Error(`a list goes on at ${start}, where it has been`);
    before = start;
    asked = { ...lasting, start };
  }
}
async function* recordsOf(pages, limit = Number.POSITIVE_INFINITY) {
  if (limit <= 0) return;
  let given = 0;
  const seen = /* @__PURE__ */ new Set();
  for await (const { data } of pages) {
    for (const record of data) {
      const { id } = record;
      if (id !== void 0 && seen.has(id)) continue;
      seen.add(id);
      yield record;
      given++;
      if (given >= limit) return;
    }
  }
}

// lib/client/repeat.ts
var longestBackoff = 5e3;
var longestWait = 30;
var isTurnedAway = ({ status, word }) => status === 429 && word !== "login_throttled";
var isPassing = (error, isSafe) => {
  if (error instanceof ConnectionError) return isSafe;
  if (!(error instanceof WeinkontorError)) return false;
  return isTurnedAway(error) || isSafe && error.status >= 500;
};
var waitBefore = (error, { tried, retries, isSafe }) => {
  if (tried >= retries || !isPassing(error, isSafe)) return void 0;
  const backoff = Math.random() * Math.min(longestBackoff, 200 * 2 ** tried);
  const { retryAfter = 0 } = error;
  return retryAfter > longestWait ? void 0 : retryAfter * 1e3 + backoff;
};
var unlessAborted = async (work, signal) => {
  if (!signal) return work;
  let abort = () => {
  };
  const aborted = new Promise((_, reject) => {
    abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener("abort", abort));
};
var pause = (milliseconds, signal) => {
  let timer;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return unlessAborted(over, signal).finally(() => clearTimeout(timer));
};

// lib/client/request.ts
var valueIn = (value) => typeof value === "object" ? JSON.stringify(value) : String(value);
var isGiven = (value) => value !== void 0 && value !== null;
var urlOfGet = (base, path, fields) => {
  const inPath = /* @__PURE__ */ new Set();
  const filled = path.replace(/\{(\w+)(\+?)\}/g, (_, name, isGreedy) => {
    if (!isGiven(fields[name])) throw new TypeError(`${path} needs ${name}`);
    inPath.add(name);
    const parts = isGreedy ? String(fields[name]).split("/") : [String(fields[name])];
    if (parts.some((part) => part === "." || part === "..")) throw new TypeError(`${name} of ${path} may not be . or ..`);
    return parts.map(encodeURIComponent).join("/");
  });
  const rest = Object.entries(fields).filter(([name, value]) => !inPath.has(name) && isGiven(value));
  const query = new URLSearchParams(Object.fromEntries(rest.map(([name, value]) => [name, valueIn(value)])));
  return base + filled + (rest.length > 0 ? `?${query}` : "");
};
var linkTo = (base, path) => {
  if (/^https?:\/\//i.test(path)) return path;
  return `${base}/${path.replace(/^\/+/, "")}`;
};
var parsed = (text) => {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value) ? value ?? void 0 : void 0;
  } catch {
    return void 0;
  }
};
var longestTimer = 2 ** 31 - 1;
var baseOf = (url) => {
  if (!/^https?:\/\//i.test(url)) {
    throw new TypeError(
      `url must begin with http:// or https://, as in http://localhost:3000; it is ${JSON.stringify(url)}`
    );
  }
  return new URL(url).href.replace(/\/+$/, "");
};
var sender = (fetch, onAttempt) => {
  const arrived = async (request, signal) => {
    const { url, method, headers, body } = request;
    const init = { method, headers, signal, redirect: "manual" };
    const response = await fetch(url, body === void 0 ? init : { ...init, body });
    return { status: response.status, headers: response.headers, body: parsed(await response.text()) };
  };
  return async (request, { signal, timeout, attempt }) => {
    signal?.throwIfAborted();
    const { path, method, url } = request;
    const began = Date.now();
    const tell = (answer2) => onAttempt?.({
      path,
      method,
      status: answer2?.status,
      ms: Date.now() - began,
      attempt,
      requestId: answer2 && requestIdOf(answer2)
    });
    const ending = new AbortController();
    const abort = () => ending.abort(signal?.reason);
    const giveUp = () => ending.abort(new Error(`none within ${timeout} ms`));
    const timer = timeout > longestTimer ? void 0 : setTimeout(giveUp, timeout);
    signal?.addEventListener("abort", abort, { once: true });
    const answer = await unlessAborted(arrived(request, ending.signal), ending.signal).catch((error) => {
      tell();
      if (signal?.aborted) throw signal.reason;
      throw new ConnectionError(path, new URL(url).host, ending.signal.aborted ? ending.signal.reason : error);
    }).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    });
    tell(answer);
    if (answer.status >= 200 && answer.status < 300 && answer.body) return answer.body;
    throw new WeinkontorError(path, answer);
  };
};

// lib/client/session.ts
var inMemory = () => {
  let kept;
  return {
    get: async () => kept,
    set: async (session) => {
      kept = session;
    }
  };
};
var renewedAhead = 5 * 6e4;
var trustedAtLeast = 6e4;
var expiryOf = ({ expires }) => Date.parse(`${expires.replace(" ", "T")}Z`);
var keepSession = (store, signIn) => {
  let current;
  let openedAt = Number.NEGATIVE_INFINITY;
  let renewing;
  const counts = (session, refused) => session.token !== refused && (expiryOf(session) - renewedAhead > Date.now() || session === current && Math.abs(Date.now() - openedAt) < trustedAtLeast);
  const renew = async (refused) => {
    const stored = await store.get();
    if (stored && counts(stored, refused)) {
      current = stored;
      return stored;
    }
    const { token, expires } = await signIn();
    const session = { token, expires };
    current = session;
    openedAt = Date.now();
    await store.set(session);
    return session;
  };
  return async (refused) => {
    if (current && !renewing && counts(current, refused)) return current.token;
    renewing ??= renew(refused).finally(() => {
      renewing = void 0;
    });
    return (await renewing).token;
  };
};

// lib/client/traits.ts
var routes = {
  "/service/check/login": { session: true, repeat: "safe" },
  "/service/login": { repeat: "safe" },
  "/service/logout": { session: true },
  "/service/customers/availablePayments": { session: true, repeat: "safe" },
  "/service/customers/getMy": { session: true, repeat: "safe" },
  "/service/clients/activate": { session: true },
  "/service/clients/edit": { session: true, client: true },
  "/service/clients/exists": { session: true, repeat: "safe" },
  "/service/clients/get": { session: true, client: true, repeat: "safe" },
  "/service/clients/getPasswordHash": { session: true },
  "/service/clients/login": { session: true, repeat: "safe" },
  "/service/clients/logout": { session: true, client: true },
  "/service/clients/orders/get": { session: true, client: true, repeat: "safe" },
  "/service/clients/orders/getAll": { session: true, client: true, repeat: "safe" },
  "/service/clients/register": { session: true },
  "/service/clients/resetPassword": { session: true },
  "/service/clients/validatePasswordHash": { session: true, repeat: "safe" },
  "/service/addresses/add": { session: true, client: true },
  "/service/addresses/delete": { session: true, client: true },
  "/service/addresses/edit": { session: true, client: true },
  "/service/addresses/get": { session: true, client: true, repeat: "safe" },
  "/service/addresses/getAll": { session: true, client: true, repeat: "safe" },
  "/service/addresses/getByClient": { session: true, client: true, repeat: "safe" },
  "/service/baskets/add": { session: true, client: true },
  "/service/baskets/addItem": { session: true, client: true },
  "/service/baskets/deleteItem": { session: true, client: true },
  "/service/baskets/edit": { session: true, client: true },
  "/service/baskets/editItem": { session: true, client: true },
  "/service/baskets/get": { session: true, client: true, repeat: "safe" },
  "/service/campaigns/find": { session: true, repeat: "safe" },
  "/service/packaging/find": { session: true, client: true, repeat: "safe" },
  "/service/packaging/getAll": { session: true, repeat: "safe" },
  "/service/orders/add": { session: true, client: true, repeat: "with key" },
  "/service/orders/get": { session: true, client: true, repeat: "safe" },
  "/service/orders/getAll": { session: true, client: true, repeat: "safe" },
  "/service/orders/touch": { session: true, client: true },
  "/service/orders/checkout/cancel": { session: true, client: true, repeat: "safe" },
  "/service/orders/checkout/finish": { session: true, repeat: "safe" },
  "/service/checkouts/cancel": { session: true, client: true, repeat: "safe" },
  "/service/payments/execute": { session: true, repeat: "safe" },
  "/wines/getAll": { repeat: "safe" },
  "/wines/getFilters": { repeat: "safe" },
  "/wines/getPublic": { repeat: "safe" },
  "/wines/search": { repeat: "safe" },
  "/service/wines/add": { session: true },
  "/service/wines/edit": { session: true },
  "/service/wines/get": { session: true, client: true, repeat: "safe" },
  "/service/wines/getAll": { session: true, client: true, repeat: "safe" },
  "/service/wines/getByCategory": { session: true, client: true, repeat: "safe" },
  "/service/wines/getByType": { session: true, client: true, repeat: "safe" },
  "/service/wines/getExpertise": { session: true, repeat: "safe" },
  "/service/wines/search": { session: true, client: true, repeat: "safe" },
  "/service/categories/get": { session: true, client: true, repeat: "safe" },
  "/service/categories/getAll": { session: true, client: true, repeat: "safe" },
  "/service/categories/getWines": { session: true, client: true, repeat: "safe" },
  "/service/categories/getWithWines": { session: true, client: true, repeat: "safe" },
  "/service/wineries/get": { session: true, repeat: "safe" },
  "/service/wineries/getAll": { session: true, repeat: "safe" },
  "/service/products/get": { session: true, client: true, repeat: "safe" },
  "/service/products/getAll": { session: true, client: true, repeat: "safe" },
  "/localization/{path+}": { method: "GET", repeat: "safe" },
  "/openapi.json": { method: "GET", repeat: "safe" }
};

// lib/client/client.ts
var refusedTokens = ["token_invalid", "token_expired", "token_malformed"];
var newKey = () => globalThis.crypto?.randomUUID?.() ?? [Date.now(), Math.random(), Math.random()].map((number) => number.toString(36).replace(".", "")).join("-");
var headersOf = (path, traits, options) => {
  const headers = new Headers();
  if (traits.method !== "GET") headers.set("content-type", "application/json");
  if (traits.client && options.clientToken) headers.set("client-authorization", options.clientToken);
  if (traits.repeat === "with key") headers.set("idempotency-key", options.idempotencyKey ?? newKey());
  else if (options.idempotencyKey !== void 0) throw new TypeError(`${path} takes no idempotencyKey`);
  return headers;
};
var requestOf = (base, path, fields, options) => {
  const traits = Object.hasOwn(routes, path) ? routes[path] : void 0;
  if (!traits) throw new TypeError(`there is no route ${path}`);
  const headers = headersOf(path, traits, options);
  if (traits.method === "GET") {
    return { path, url: urlOfGet(base, path, fields), method: "GET", headers, body: void 0 };
  }
  return { path, url: base + path, method: "POST", headers, body: JSON.stringify(fields) };
};
var createClient = (options) => {
  const { authid, token, session = inMemory() } = options;
  const base = baseOf(options.url);
  const ownFetch = options.fetch;
  const send = sender((input, init) => (ownFetch ?? globalThis.fetch)(input, init), options.onAttempt);
  const usual = { timeout: options.timeout ?? 3e4, retries: options.retries ?? 3 };
  const canSignIn = authid !== void 0 && token !== void 0;
  const tokenOf = keepSession(session, async () => {
    if (!canSignIn) throw new Error("a route of the merchant needs authid and token");
    return await perform("/service/login", { authid, token }, {});
  });
  const perform = async (path, fields, options2) => {
    const { signal, timeout = usual.timeout, retries = usual.retries } = options2;
    const request = requestOf(base, path, fields, options2);
    const { session: needsSession, repeat } = routes[path];
    signal?.throwIfAborted();
    let refused;
    let tried = 0;
    for (let attempt = 1; ; attempt++) {
      const bearer = needsSession && await unlessAborted(tokenOf(refused), signal);
      if (bearer) request.headers.set("authorization", `Bearer ${bearer}`);
      try {
        return await send(request, { signal, timeout, attempt });
      } catch (error) {
        if (canSignIn && bearer && !refused && isError(error, ...refusedTokens)) {
          refused = bearer;
          continue;
        }
        const wait = waitBefore(error, { tried, retries, isSafe: repeat !== void 0 });
        if (wait === void 0) throw error;
        await pause(wait, signal);
        tried++;
      }
    }
  };
  const withToken = (clientToken) => {
    const ask = (path, body, options2) => perform(path, body ?? {}, { ...options2, clientToken: options2?.clientToken ?? clientToken });
    const pages = (path, body, options2) => pagesOf((fields) => ask(path, fields, options2), body ?? {});
    return {
      call: (path, ...[body, options2]) => ask(path, body, options2),
      pages: (path, ...[body, options2]) => pages(path, body, options2),
      all: (path, ...[body, options2]) => recordsOf(pages(path, body, options2), options2?.limit),
      forClient: withToken,
      url: (path) => linkTo(base, path)
    };
  };
  return withToken(void 0);
};
export {
  ConnectionError,
  WeinkontorError,
  createClient,
  isError
};
