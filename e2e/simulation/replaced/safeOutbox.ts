import type * as real from '../../../web/src/chat/outbox/safeOutbox.ts';
import { currentBrowser } from './browser.ts';

/** The outbox in the browser of the page that is just starting. */
export const browserOutbox: typeof real.browserOutbox = (whose) => currentBrowser().outbox(whose);
