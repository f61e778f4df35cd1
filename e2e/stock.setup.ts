import { rmSync } from 'node:fs';
import { fillStock } from './product/stock.ts';

/** As many as a run of all tests needs. More are made if they do not suffice. */
const DESKS = 120;
const ADMINS = 40;

/** Makes accounts before the first test. The README's project has no installation at this point. */
export default function globalSetup(): (() => void) | undefined {
  if (process.env.DATABASE_URL === undefined || process.env.SECRET === undefined) return undefined;
  const folder = fillStock(DESKS, ADMINS);
  return () => rmSync(folder, { recursive: true, force: true });
}
