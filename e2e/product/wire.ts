import type { Page } from '@playwright/test';

type Frame = { type: string } & Record<string, unknown>;

/**
 * Puts a hand on the page's socket: every frame from the server goes through `change`, which may alter it, drop it
 * (undefined) or hold it back. The server behind it is the real one.
 */
export async function onFramesDown(
  page: Page,
  change: (frame: Frame) => Frame | undefined | Promise<Frame | undefined>,
): Promise<void> {
  await page.routeWebSocket(/\/live$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage(async (data) => {
      const changed = await change(JSON.parse(String(data)) as Frame);
      if (changed) socket.send(JSON.stringify(changed));
    });
  });
}
