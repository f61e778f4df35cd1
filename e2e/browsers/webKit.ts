// WebKitGTK, by plain W3C WebDriver calls: Playwright cannot drive the WebKit of a distribution.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { answers } from '../../tools/answers.ts';
import { freePort } from '../../tools/freePorts.ts';
import { expect, test as watched } from '../product/watched.ts';
import { browserRoot, inRoot } from './root.ts';

/** Runs first in every page. Collects what `problems` returns. */
const WATCH = `globalThis.problems = [];
addEventListener('error', ({ message }) => problems.push(message));
addEventListener('unhandledrejection', ({ reason }) => problems.push(String(reason)));
document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
  problems.push(effectiveDirective + ' refuses ' + blockedURI));`;

const CALL_MS = 20_000;
const WAIT_MS = 20_000;

/** An element may appear, or be uncovered, a moment later. */
async function eventually<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const end = Date.now() + WAIT_MS; ; await setTimeout(100)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

export const keys = {
  enter: '\uE007',
  escape: '\uE00C',
  tab: '\uE004',
  shift: '\uE008',
  control: '\uE009',
  alt: '\uE00A',
  down: '\uE015',
} as const;

type Reference = { [ELEMENT]: string };

/** One window of WebKitGTK, with its own cookies and storage. */
export class WebKit {
  readonly #process: ChildProcess;
  readonly #driver: string;
  /** The browser sees only temporary files. */
  readonly folder = mkdtempSync(join(tmpdir(), 'settee-webkit-'));
  #session = '';

  private constructor(process: ChildProcess, port: number) {
    this.#process = process;
    this.#driver = `http://127.0.0.1:${port}`;
  }

  static async start(...options: string[]): Promise<WebKit> {
    const port = await freePort();
    browserRoot();
    const driver = spawn(
      inRoot.program,
      [
        // Two windows that start at once must not share a display.
        ...[`--server-num=${port}`, '--server-args=-screen 0 1400x1000x24'],
        ...['dbus-run-session', '--', 'WebKitWebDriver', '--host=127.0.0.1', `--port=${port}`],
      ],
      // The time zone of the other browsers.
      { stdio: 'ignore', env: { ...inRoot.env('xvfb-run'), TZ: 'Europe/Berlin' } },
    );
    const window = new WebKit(driver, port);
    const watch = join(window.folder, 'watch.js');
    writeFileSync(watch, WATCH);
    try {
      await answers(`${window.#driver}/status`, () => driver.exitCode !== null);
      const started = await window.#call<{ sessionId: string }>('POST', '/session', {
        capabilities: {
          alwaysMatch: {
            // `goto` waits itself: the driver's own wait sometimes never ends.
            pageLoadStrategy: 'none',
            timeouts: { script: CALL_MS },
            'webkitgtk:browserOptions': {
              binary: MINI_BROWSER,
              // The toolbar would make the window wider than a phone.
              args: ['--automation', '--full-screen', `--user-script-at-start=${watch}`, ...options],
            },
          },
        },
      });
      window.#session = `/session/${started.sessionId}`;
      return window;
    } catch (error) {
      await window.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#call('DELETE', this.#session).catch(() => {});
    this.#process.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Errors of the page, and violations of its content policy, since it was loaded. */
  problems(): Promise<string[]> {
    return this.evaluate(() => (globalThis as unknown as { problems: string[] }).problems);
  }

  goto(url: string): Promise<void> {
    return this.#load('/url', { url });
  }

  reload(): Promise<void> {
    return this.#load('/refresh', {});
  }

  /** Returns when another document has replaced this one. */
  async #load(path: string, body: object): Promise<void> {
    await this.evaluate(() => void Object.assign(globalThis, { replaced: false }));
    await this.#call('POST', `${this.#session}${path}`, body);
    await eventually(async () => {
      if (!(await this.evaluate(() => !('replaced' in globalThis) && document.readyState !== 'loading')))
        throw new Error('the page does not load');
    });
  }

  /** Runs a function in the page. It sees only its argument. */
  evaluate<Result, Argument = undefined>(
    work: (argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result> {
    const script = `const done = arguments[1]; Promise.resolve((${String(work)})(arguments[0])).then(done)`;
    return this.#call('POST', `${this.#session}/execute/async`, { script, args: [argument ?? null] });
  }

  /** Clicks the only element of this selector or XPath. */
  async click(selector: string): Promise<void> {
    await eventually(async () => this.#call('POST', `${await this.#find(selector)}/click`, {}));
  }

  /** Types into the only element of this selector. For a file field: the paths. */
  async type(selector: string, text: string): Promise<void> {
    await eventually(async () => this.#call('POST', `${await this.#find(selector)}/value`, { text }));
  }

  /** Presses these keys at once, wherever the focus is. */
  async press(...pressed: string[]): Promise<void> {
    const down = pressed.map((value) => ({ type: 'keyDown', value }));
    const up = pressed.toReversed().map((value) => ({ type: 'keyUp', value }));
    await this.#call('POST', `${this.#session}/actions`, {
      actions: [{ type: 'key', id: 'keyboard', actions: [...down, ...up] }],
    });
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#call('POST', `${this.#session}/window/rect`, { width, height });
  }

  async #find(value: string): Promise<string> {
    const using = value.startsWith('//') ? 'xpath' : 'css selector';
    const found = await this.#call<Reference[]>('POST', `${this.#session}/elements`, { using, value });
    const [only] = found;
    if (only === undefined || found.length > 1) throw new Error(`${found.length} elements for ${value}`);
    return `${this.#session}/element/${only[ELEMENT]}`;
  }

  async #call<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const response = await fetch(`${this.#driver}${path}`, {
      method,
      signal: AbortSignal.timeout(2 * CALL_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { value: Result & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`WebDriver: ${value.error}: ${value.message}`);
    return value;
  }
}

/** The browser tests' `test`, with windows of WebKitGTK. It fails if a page in one of them has an error. */
export const test = watched.extend<{ newWindow: (...options: string[]) => Promise<WebKit> }>({
  newWindow: async ({ baseURL: _ }, use) => {
    const windows: WebKit[] = [];
    await use(async (...options) => {
      const window = await WebKit.start(...options);
      windows.push(window);
      return window;
    });
    const problems: string[] = [];
    for (const window of windows) {
      problems.push(...(await window.problems().catch((error: unknown) => [String(error)])));
      await window.close();
    }
    expect(problems, 'errors of the pages in WebKit').toEqual([]);
  },
});

const FIELD = 'textarea';

export function button(name: string): string {
  return `//button[normalize-space(.)="${name}" or @aria-label="${name}"]`;
}

/** A field by its label. */
export function field(label: string): string {
  return `//input[@id=//label[starts-with(normalize-space(.), "${label}")]/@for]`;
}

/** From the link to an empty chat. */
export async function startChat(window: WebKit, url: string, name: string): Promise<void> {
  await window.goto(url);
  await window.click(button('Start chat'));
  await window.type(field('Display Name'), name);
  await window.click(button('Start Chatting'));
}

/** Types a message and presses Enter, when the composer is ready for it. */
export async function send(window: WebKit, text: string): Promise<void> {
  await window.type(FIELD, text);
  await expect(async () => {
    await window.type(FIELD, '\uE007');
    await expect.poll(() => window.evaluate(() => document.querySelector('textarea')?.value)).toBe('');
  }).toPass();
}

function texts(window: WebKit): Promise<string[]> {
  return window.evaluate(() =>
    [...document.querySelectorAll('[role=log] [data-side] div > p:first-child')].map(
      (bubble) => bubble.textContent ?? '',
    ),
  );
}

export async function expectTexts(window: WebKit, expected: string[]): Promise<void> {
  await expect.poll(() => texts(window), { timeout: 30_000 }).toEqual(expected);
}

/** Waits until the page shows this text. */
export async function expectText(window: WebKit, text: string): Promise<void> {
  await expect
    .poll(() => window.evaluate(() => document.body.innerText), { timeout: 30_000 })
    .toContain(text);
}

/** What has the focus: its visible text or its label. */
export function focused(window: WebKit): Promise<string> {
  return window.evaluate(() => {
    const active = document.activeElement as HTMLInputElement;
    return active.ariaLabel ?? active.labels?.[0]?.textContent ?? active.textContent;
  });
}
