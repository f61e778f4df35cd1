import { expect, type Page } from '@playwright/test';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { imageTexts } from '@settee/protocol/texts/imageTexts';
import { texts } from '@settee/protocol/texts/texts';
import { expectImages, type PickedFile, photograph, pick, sendImageAs } from '../product/images.ts';
import { send } from '../product/people.ts';
import { drawing } from './drawings.ts';
import { conversationToAnswer, openChat, openThread, type Stage, shows, states } from './stage.ts';

/** 2.5 MB. */
const TOTAL = 2_621_440;

/** Images in the visitor's chat. */
export const imageStates = states({
  'image-picked': async (stage) => {
    await openChat(stage, conversationToAnswer());
    await pick(stage.page, await drawing('letter', 'The page where I changed my mind, second draft.jpg'));
    await shows(stage.page, 'MB');
    await stage.page.getByRole('textbox').fill('This is the page.');
  },
  'images-picked': async (stage) => {
    await openChat(stage, conversationToAnswer());
    const files = [await drawing('letter', 'letter.jpg'), await drawing('lighthouse', 'منارة.jpg')];
    await pick(stage.page, ...files, await drawing('letter', 'envelope.jpg', 600));
    await expect(stage.page.getByRole('listitem')).toHaveCount(3);
  },
  'image-wrong-type': async (stage) => {
    await openChat(stage, conversationToAnswer());
    const letter = { name: 'letter.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') };
    await pick(stage.page, letter);
    await shows(stage.page, texts.imageWrongType);
  },
  'image-drop': async (stage) => {
    await openChat(stage, conversationToAnswer());
    await expect(stage.page.getByRole('textbox')).toBeVisible();
    const dataTransfer = await stage.page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'x.jpg', { type: 'image/jpeg' }));
      return data;
    });
    await stage.page.dispatchEvent('body', 'dragover', { dataTransfer });
    await shows(stage.page, imageTexts.dropHere);
  },
  'image-uploading': async (stage) => {
    // The browser counts sent bytes, and a held request sends none.
    await stage.page.addInitScript((total) => {
      XMLHttpRequest.prototype.send = function () {
        setTimeout(() => {
          this.upload.dispatchEvent(
            new ProgressEvent('progress', { lengthComputable: true, loaded: total * 0.64, total }),
          );
        }, 100);
      };
    }, TOTAL);
    await openChat(stage, conversationToAnswer());
    const { buffer, ...named } = await drawing('letter', 'letter.jpg');
    await sendOne(stage, {
      ...named,
      buffer: Buffer.concat([buffer, Buffer.alloc(TOTAL - buffer.length)]),
    });
    await expect(stage.page.getByRole('progressbar')).toBeVisible();
    await expect(stage.page.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow', '0');
  },
  'image-checking': async (stage) => {
    await stage.page.route('**/uploaded', () => undefined);
    await openChat(stage, conversationToAnswer());
    await sendOne(stage);
    await shows(stage.page, imageTexts.checking);
  },
  'image-failed': async (stage) => {
    await stage.page.route(
      ({ pathname }) => pathname.includes('/uploads/'),
      (route) => route.abort(),
    );
    await openChat(stage, conversationToAnswer());
    await stage.page.clock.install();
    await sendOne(stage);
    await expect(async () => {
      await stage.page.clock.fastForward(60_000);
      await expect(stage.page.getByText(texts.notSent)).toBeVisible({ timeout: 500 });
    }).toPass();
  },
  'image-refused': async (stage) => {
    await openChat(stage, conversationToAnswer());
    // The first bytes are those of an image, the rest is damaged: only the server can detect this.
    const { buffer, ...named } = await drawing('lighthouse', 'lighthouse.jpg');
    await sendOne(stage, { ...named, buffer: buffer.subarray(0, 300) });
    await shows(stage.page, imageTexts.refused);
  },
  images: exchange,
  'image-broken': async (stage) => {
    const invite = await openChat(stage, conversationToAnswer());
    await stage.page.route(/\/media\/[^/]+\.\w+\?/, (route) => route.abort());
    await sendImageAs(stage.desk.handler, invite, await drawing('letter', 'letter.jpg'));
    await shows(stage.page, imageTexts.couldNotLoad);
  },
  'image-viewer': async (stage) => {
    await exchange(stage);
    await stage.page.locator('[data-image]').last().click();
    await expect(stage.page.locator('dialog img')).toHaveAttribute('data-shown', 'true');
  },
});

async function sendOne(
  stage: Stage,
  file: PickedFile | Promise<PickedFile> = drawing('letter', 'letter.jpg', 2_400),
): Promise<void> {
  await pick(stage.page, await file);
  await shows(stage.page, 'MB');
  await stage.page.getByRole('textbox').press('Enter');
}

/** Both sides have sent an image. */
async function exchange(stage: Stage): Promise<void> {
  const { page, desk } = stage;
  const invite = await openChat(stage, conversationToAnswer());
  await send(page, 'Which page was it?');
  await sendImageAs(desk.handler, invite, await drawing('letter', 'letter.jpg'));
  await expectImages(page, 'in', 1);
  await sendOne(stage, drawing('lighthouse', 'lighthouse.jpg', 900));
  await expectImages(page, 'out', 1);
  await shows(page, texts.sent);
}

/** The console with images: selected, uploading, in the thread, refused. */
export const consoleImageStates = states({
  'console-images-picked': async ({ page }) => {
    await openThread(page);
    await pick(page, await photograph('The harbour of Marseille at night, second attempt.jpg'));
    await shows(page, 'The harbour of Marseille');
    await pick(page, await photograph('port.jpg', { width: 300, height: 700 }));
    await shows(page, 'port.jpg');
    await page.getByPlaceholder(consoleTexts.staffPlaceholder).fill('These two are from last night.');
  },
  'console-images-problem': async ({ page }) => {
    await openThread(page);
    await pick(page, { name: 'letter.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
    await shows(page, texts.imageWrongType);
  },
  'console-images-thread': async ({ page }) => {
    await openThread(page);
    await sendTwo(page);
    await expectImages(page, 'out', 2);
    await page.mouse.move(0, 0);
  },
  'console-images-uploading': async ({ page }) => {
    await openThread(page);
    await page.route(
      (url) => url.pathname.includes('/uploads/'),
      (route) => (route.request().method() === 'PUT' ? undefined : route.continue()),
    );
    await sendTwo(page);
    await shows(page, 'of 0.');
  },
});

async function sendTwo(page: Page): Promise<void> {
  await pick(
    page,
    await photograph('harbour.jpg'),
    await photograph('port.jpg', { width: 300, height: 700 }),
  );
  await shows(page, 'port.jpg');
  await page.getByRole('button', { name: texts.send, exact: true }).click();
}
