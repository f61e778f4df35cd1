/** Waits until a server answers. `ended` returns whether its process has ended. */
export async function answers(url: string, ended: () => boolean = () => false, seconds = 60): Promise<void> {
  const deadline = Date.now() + seconds * 1_000;
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok === true) return;
    if (ended()) throw new Error('The process ended. See its output above.');
    if (Date.now() > deadline) throw new Error(`${url} does not answer.`);
    await new Promise((done) => setTimeout(done, 100));
  }
}
