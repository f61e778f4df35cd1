/** Abort if no byte moves for this long after the first. */
const STALLED_AFTER_MS = 30_000;

/** Timeout before the first byte and after the last. Buffers of a slow network may take minutes. */
const SILENT_FOR_MS = 5 * 60_000;

type PutOptions = {
  type: string;
  /** Bytes sent. */
  onProgress: (done: number) => void;
  signal: AbortSignal;
};

/** stored: complete. refused: the address is invalid or expired. lost: unknown. */
export type PutResult = 'stored' | 'refused' | 'lost';
export type PutFile = (url: string, file: Blob, options: PutOptions) => Promise<PutResult>;

/**
 * Uploads a file to a signed address, without token or cookie. Uses XMLHttpRequest, because fetch reports no upload
 * progress.
 */
export const putFile: PutFile = (url, file, { type, onProgress, signal }) =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve('lost');
    const request = new XMLHttpRequest();
    let stallTimer: ReturnType<typeof setTimeout> | undefined;

    const abort = () => request.abort();
    function giveUpAfter(ms: number): void {
      clearTimeout(stallTimer);
      stallTimer = setTimeout(abort, ms);
    }
    request.upload.onprogress = ({ loaded }) => {
      giveUpAfter(loaded < file.size ? STALLED_AFTER_MS : SILENT_FOR_MS);
      onProgress(loaded);
    };
    request.upload.onload = () => giveUpAfter(SILENT_FOR_MS);
    // Status 0 means no answer.
    request.onloadend = () => {
      clearTimeout(stallTimer);
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

/** Downloads a media file. Undefined if it fails or scripts may not read it. */
export async function readFile(url: string): Promise<Blob | undefined> {
  try {
    const answer = await fetch(url, { credentials: 'omit' });
    return answer.ok ? await answer.blob() : undefined;
  } catch {
    return undefined;
  }
}
