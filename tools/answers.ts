/** Waits until a server that was just started answers; `ended` tells when there is no point in waiting. */
export async function answers(url: string, ended: () => boolean = () => false, seconds = 60): Promise<void> {
  const deadline = Date.now() + seconds * 1_000;
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok === true) return;
    if (ended()) throw new Error('It ended; what it said stands above.');
    if (Date.now() > deadline) throw new Error(`${url} does not answer.`);
    await new Promise((done) => setTimeout(done, 100));
  }
}
