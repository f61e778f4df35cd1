// Component tests look like the product: its fonts, tokens and base styles.
import '../src/design/fonts.css';
import '../src/design/tokens.css';
import '../src/design/base.css';
import '../src/staff/staff.css';
import { afterEach, vi } from 'vitest';
import { page } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';
import { watchKeyboardFocus } from '../src/ui/keyboardFocus.ts';
import { endEmulation } from './browser.ts';

const start = location.href;
watchKeyboardFocus();

afterEach(async () => {
  // Before the real network returns: an open page would use it.
  await cleanup();
  vi.unstubAllGlobals();
  // A file may have set the date for all its tests.
  if (vi.isFakeTimers()) vi.useRealTimers();
  await endEmulation();
  localStorage.clear();
  sessionStorage.clear();
  await clearDatabases();
  document.getElementById('app')?.remove();
  history.replaceState(null, '', start);
  if (innerWidth !== 1280 || innerHeight !== 800) await page.viewport(1280, 800);
});

/** Empties the databases of the pages. Deleting one would wait for every page that has it open. */
async function clearDatabases(): Promise<void> {
  for (const { name } of await indexedDB.databases()) {
    if (!name?.startsWith('settee')) continue;
    const opening = indexedDB.open(name);
    await new Promise((done) => {
      opening.onsuccess = done;
      opening.onerror = done;
    });
    const database = opening.result;
    const stores = [...database.objectStoreNames];
    if (stores.length > 0) {
      const clearing = database.transaction(stores, 'readwrite');
      for (const store of stores) clearing.objectStore(store).clear();
      await new Promise((done) => {
        clearing.oncomplete = done;
        clearing.onabort = done;
      });
    }
    database.close();
  }
}
