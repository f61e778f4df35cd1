/** No token now. The status is 0 if no answer arrived. */
export class TokenFailure extends Error {
  readonly status: number;
  /** How long the server asked to wait. */
  readonly waitMs: number;

  constructor({ text, status, waitMs = 0 }: { text: string; status: number; waitMs?: number | undefined }) {
    super(text);
    this.status = status;
    this.waitMs = waitMs;
  }
}
