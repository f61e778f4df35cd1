import type { Page } from '@playwright/test';

/** The number of messages in the browser's outboxes. */
export function unsent(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let all = 0;
    for (const { name = '' } of await indexedDB.databases()) {
      if (!name.startsWith('settee-outbox-')) continue;
      all += await new Promise<number>((resolve) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => {
          const counted = opening.result.transaction('unsent').objectStore('unsent').count();
          counted.onsuccess = () => {
            opening.result.close();
            resolve(counted.result);
          };
        };
      });
    }
    return all;
  });
}
