import { CLOSE_RESTART, type Down } from '@settee/protocol/frames/down';

/** What happens to the connections of pages. */
export class Connections {
  /** Milliseconds from the close of a socket until its page is up to date again. */
  readonly took: number[] = [];
  readonly codes = new Map<number, number>();
  /** A message showed 'Not sent', or a page lost its access. */
  readonly failures = new Set<string>();
  lostCount = 0;
  /** Pages that showed the desk as offline. */
  readonly shownOffline: string[] = [];
  readonly #lostAt = new Map<string, number>();
  readonly #there = new Set<string>();
  readonly #sentAway = new Set<string>();

  lost(page: string, code: number): void {
    this.lostCount += 1;
    this.#lostAt.set(page, performance.now());
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
    if (code === CLOSE_RESTART) this.#sentAway.add(page);
  }

  /** Welcomed, and every conversation is complete up to its head. */
  back(page: string): void {
    this.#there.add(page);
    const lostAt = this.#lostAt.get(page);
    if (lostAt === undefined) return;
    this.#lostAt.delete(page);
    this.took.push(performance.now() - lostAt);
  }

  received(page: string, frame: Down): void {
    if (!this.#there.has(page)) return;
    if ((frame.type === 'welcome' || frame.type === 'presence') && !frame.online) {
      this.shownOffline.push(`${page}: ${frame.type} reported the desk as offline`);
    }
  }

  failed(page: string, what: string): void {
    this.failures.add(`${page}: ${what}`);
  }

  arrived(): number {
    return this.#there.size;
  }

  away(): string[] {
    return [...this.#lostAt.keys()];
  }

  /** Pages that no gateway disconnected. They prove nothing about the upgrade. */
  neverDisconnected(): string[] {
    return [...this.#there]
      .filter((page) => !this.#sentAway.has(page))
      .map((page) => `${page} was never disconnected by a gateway`);
  }

  /** Pages that took too long, or still do. */
  late(withinMs: number): string[] {
    const now = performance.now();
    const still = [...this.#lostAt].filter(([, lostAt]) => now - lostAt > withinMs);
    return [
      ...this.took.filter((ms) => ms > withinMs).map((ms) => `back after ${Math.round(ms)} ms`),
      ...still.map(([page, lostAt]) => `${page} is away for ${Math.round(now - lostAt)} ms and not back`),
    ];
  }
}
