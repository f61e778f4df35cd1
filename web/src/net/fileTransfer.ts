import { type Clock, systemClock } from './clock.ts';

/** No byte moved for so long, though some had: the line is as good as gone. */
const STALLED_AFTER_MS = 30_000;

/**
 * Before the first byte, and once the browser has handed all of them on, nothing is told of those that are still on
 * their way: a slow line may take minutes for what its buffers hold.
 */
const SILENT_FOR_MS = 5 * 60_000;

type PutOptions = {
  type: string;
  /** How many bytes have gone. */
  onProgress: (done: number) => void;
  signal: AbortSignal;
};

/** stored: all of it is there. refused: the address is no good (any more). lost: nobody knows. */
export type PutResult = 'stored' | 'refused' | 'lost';
export type PutFile = (url: string, file: Blob, options: PutOptions) => Promise<PutResult>;

/**
 * Brings a file to a signed address, which is all the permission it needs: no token, and no cookie to another origin.
 * XMLHttpRequest, because fetch does not tell how far an upload is.
 */
export const putFile: PutFile = (url, file, options) => put(url, file, options, systemClock);

function put(url: string, file: Blob, options: PutOptions, clock: Clock): Promise<PutResult> {
  const { type, onProgress, signal } = options;
  return new Promise((resolve) => {
    if (signal.aborted) return resolve('lost');
    const request = new XMLHttpRequest();
    let stallTimer: unknown;

    const abort = () => request.abort();
    function giveUpAfter(ms: number): void {
      clock.clearTimeout(stallTimer);
      stallTimer = clock.setTimeout(abort, ms);
    }
    request.upload.onprogress = ({ loaded }) => {
      giveUpAfter(loaded < file.size ? STALLED_AFTER_MS : SILENT_FOR_MS);
      onProgress(loaded);
    };
    request.upload.onload = () => giveUpAfter(SILENT_FOR_MS);
    // However it ended: status 0 is no answer at all.
    request.onloadend = () => {
      clock.clearTimeout(stallTimer);
      signal.removeEventListener('abort', abort);
      const { status } = request;
      resolve(status >= 200 && status < 300 ? 'stored' : status === 0 ? 'lost' : 'refused');
    };
    signal.addEventListener('abort', abort);
    request.open('PUT', url);
    request.withCredentials = false;
    request.setRequestHeader('content-type', type);
    giveUpAfter(SILENT_FOR_MS);
    request.send(file);
  });
}

/** A file from where media is kept. Undefined when it cannot be had, or no script may read it. */
export async function readFile(url: string): Promise<Blob | undefined> {
  try {
    const answer = await fetch(url, { credentials: 'omit' });
    return answer.ok ? await answer.blob() : undefined;
  } catch {
    return undefined;
  }
}
