// Made by `npm run client`.
/** What the answer of a list route says of its page: `next` tells where the list goes on when a page ends early. */
export type Page = {
    data: readonly unknown[];
    totalCount: number;
    pages: {
        current: number;
        total: number;
        size: number;
        next?: {
            start: number;
        };
    };
};
type Fields = Readonly<Record<string, unknown>>;
/**
 * The answers of a list from the page that `fields` asks for to the last one. Throws when an answer would lead back, and
 * whatever `ask` throws.
 */
export declare function pagesOf<P extends Page>(ask: (fields: Fields) => Promise<P>, fields: Fields): AsyncGenerator<P>;
/**
 * The records of pages, each once and `limit` at most: one that moved to a later page, because others came before it, is
 * not given again.
 */
export declare function recordsOf(pages: AsyncIterable<Page>, limit?: number): AsyncGenerator<unknown>;
export {};
