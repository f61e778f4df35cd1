import { rmSync } from 'node:fs';
import { fillStock } from './product/accounts.ts';

/** Enough for a run of all tests. If they run out, more are created. */
const DESKS = 80;
const ADMINS = 24;

/** Creates accounts before the first test. The README's project has no installation at this point. */
export default function globalSetup(): (() => void) | undefined {
  if (process.env.DATABASE_URL === undefined || process.env.SECRET === undefined) return undefined;
  const folder = fillStock(DESKS, ADMINS);
  return () => rmSync(folder, { recursive: true, force: true });
}
