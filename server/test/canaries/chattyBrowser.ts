import type { Canaries } from './canaries.ts';

export const ORIGIN = 'http://settee.test';

/** A browser that puts a canary into every part of a request. */
export class ChattyBrowser {
  token = '';
  readonly #url: string;
  readonly #canaries: Canaries;
  readonly #cookies = new Map<string, string>();
  readonly #habits: Record<string, string>;

  constructor(url: string, canaries: Canaries) {
    this.#url = url;
    this.#canaries = canaries;
    this.#cookies.set('own', canaries.word('cookie of its own'));
    this.#habits = {
      'user-agent': `Mozilla ${canaries.word('user-agent')}`,
      referer: `${ORIGIN}/i/${canaries.word('referer')}`,
      'accept-language': canaries.word('accept-language'),
      'x-forwarded-for': canaries.word('x-forwarded-for'),
      'x-request-id': canaries.word('x-request-id'),
    };
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  ): Promise<any> {
    // Some calls have a query and allow no other parameter.
    const query = path.includes('?') ? '' : `?q0=${this.#canaries.word('query string')}`;
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(this.#url + path + query, {
      method,
      headers: {
        origin: ORIGIN,
        ...this.#habits,
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(this.token !== '' && { authorization: `Bearer ${this.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body !== undefined && { body: raw ? (body as BodyInit) : JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      this.#cookies.set(name, value);
      if (value.length >= 8) this.#canaries.keep('cookie', value);
    }
    const text = await response.text();
    const answer = text.startsWith('{') ? JSON.parse(text) : {};
    if (typeof answer.idToken === 'string') this.token = this.#canaries.keep('ID token', answer.idToken);
    return { ...answer, status: response.status };
  }
}
