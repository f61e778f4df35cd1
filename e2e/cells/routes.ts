import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startRouter } from './router.ts';

const TOKEN = 'x'.repeat(32);

/** A request, the cell that must answer, and whether the browser keeps this cell from now on. */
type Case = [what: string, path: string, cookie: string, cell: string, kept: boolean];

const cases: Case[] = [
  ['an invite link', `/i/b7${TOKEN}`, '', 'b7', true],
  ['an invite link, not the cookie', `/i/a0${TOKEN}`, cellCookie('b7'), 'a0', true],
  ['a link for staff', '/handler?cell=b7', '', 'b7', true],
  ['a link for staff, not the invite', `/i/a0${TOKEN}?cell=b7`, cellCookie('a0'), 'b7', true],
  ['the cookie', '/auth/anonymous', cellCookie('b7'), 'b7', false],
  ['the cookie among others', '/live', `x=a0; ${cellCookie('b7')}; y=a0`, 'b7', false],
  ['nothing', '/', '', 'a0', false],
  ['an unknown cell in the cookie', '/', cellCookie('zz'), 'a0', false],
  ['an unknown cell in the link', `/i/zz${TOKEN}`, cellCookie('b7'), 'a0', false],
  ['a cookie with more than a cell', '/', cellCookie('b7b7'), 'a0', false],
  ['a path that ends like a cookie', '/brand%7Cb7', '', 'a0', false],
];

/** Sends requests through the router to two servers that answer with their names. Returns what is wrong. */
export async function checkRoutes(): Promise<string[]> {
  const servers = await Promise.all(['a0', 'b7'].map(echo));
  const router = await startRouter(servers);
  try {
    const found: string[] = [];
    for (const [what, path, cookie, cell, kept] of cases) {
      const response = await fetch(`http://127.0.0.1:${router.port}${path}`, { headers: { cookie } });
      const expected = { cell, cookies: ['of the cell', ...(kept ? [keptCookie(cell)] : [])].toSorted() };
      const got = { cell: await response.text(), cookies: response.headers.getSetCookie().toSorted() };
      if (JSON.stringify(got) !== JSON.stringify(expected)) found.push(`${what}: ${JSON.stringify(got)}`);
    }
    return found;
  } finally {
    await router.stop();
    for (const { server } of servers) server.close();
  }
}

async function echo(tag: string): Promise<{ tag: string; port: number; server: Server }> {
  const server = createServer((_request, answer) => {
    answer.setHeader('set-cookie', 'of the cell');
    answer.end(tag);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { tag, port: (server.address() as AddressInfo).port, server };
}

function cellCookie(tag: string): string {
  return `__Host-settee-cell=${tag}`;
}

function keptCookie(tag: string): string {
  return `${cellCookie(tag)}; Path=/; Max-Age=34560000; Secure; HttpOnly; SameSite=Lax`;
}
