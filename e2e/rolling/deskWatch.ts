import pg from 'pg';

const LOOK_EVERY_MS = 100;

/** Checks continuously whether the desks count as staffed. Their handlers never leave. */
export async function watchDesks(databaseUrl: string): Promise<{ stop(): Promise<string[]> }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  const since = new Map<string, number>();
  const found: string[] = [];
  const opened = performance.now();
  let stopped = false;
  const look = async (): Promise<void> => {
    const { rows } = await client.query<{ alias: string }>(
      `select alias from handlers h
       where not exists (select from presence p where p.alias = h.alias and p.expires_at > now())`,
    );
    const offline = new Set(rows.map(({ alias }) => alias));
    const now = performance.now();
    for (const alias of offline) if (!since.has(alias)) since.set(alias, now);
    for (const [alias, began] of since) {
      if (offline.has(alias)) continue;
      since.delete(alias);
      found.push(
        `${alias} was offline for about ${Math.round(now - began)} ms, from ${((began - opened) / 1_000).toFixed(1)} s on`,
      );
    }
  };
  const looking = (async () => {
    while (!stopped) {
      await look();
      await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
    }
  })();
  looking.catch(() => {});
  return {
    async stop() {
      stopped = true;
      await looking;
      await client.end();
      return [...found, ...[...since.keys()].map((alias) => `${alias} is still offline`)];
    },
  };
}
