import { Stopwatch } from '../metrics/messageSpan.ts';
import type { Span, Traces } from '../ports.ts';

const ID_KEY = '"id":"';
const ID_LENGTH = 36;

/** The passing on of one followed message to the sockets that watch it here. */
export class Delivery {
  readonly #traces: Traces;
  readonly #id: string;
  readonly #watch = new Stopwatch();
  readonly #began = this.#watch.now();

  private constructor(traces: Traces, id: string) {
    this.#traces = traces;
    this.#id = id;
  }

  static of(traces: Traces | undefined, frame: Buffer, known: string | undefined): Delivery | undefined {
    if (traces === undefined) return undefined;
    const id = known ?? messageIdIn(frame);
    return traces.follows(id) ? new Delivery(traces, id) : undefined;
  }

  end(sockets: number, heard: NonNullable<Span['heard']>): void {
    if (sockets === 0) return;
    const end = this.#watch.now();
    this.#traces.tell(this.#id, { name: 'gateway.deliver', start: this.#began, end, sockets, heard });
  }
}

/** A frame that came over the bus is passed on unparsed. Quotes inside of a text are escaped, so this finds the key. */
function messageIdIn(frame: Buffer): string {
  const at = frame.indexOf(ID_KEY) + ID_KEY.length;
  return frame.toString('latin1', at, at + ID_LENGTH);
}
