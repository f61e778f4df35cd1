import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { createHandler } from '../product/accounts.ts';
import { makeThread } from '../product/database.ts';
import { expectImages, photograph, pick } from '../product/images.ts';
import { openConversation } from '../product/people.ts';
import { conversation } from './sampleMessages.ts';
import { type Stage, type State, shows } from './stage.ts';

/** The console with images: selected, uploading, in the thread, refused. */
export const consoleImageStates: State[] = [
  {
    name: 'console-images-picked',
    async reach(stage) {
      const { page } = stage;
      await openThread(stage);
      await pick(page, await photograph('The harbour of Marseille at night, second attempt.jpg'));
      await shows(page, 'The harbour of Marseille');
      await pick(page, await photograph('port.jpg', { width: 300, height: 700 }));
      await shows(page, 'port.jpg');
      await page.getByPlaceholder(consoleTexts.staffPlaceholder).fill('These two are from last night.');
    },
  },
  {
    name: 'console-images-problem',
    async reach(stage) {
      const { page } = stage;
      await openThread(stage);
      await pick(page, { name: 'letter.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
      await shows(page, texts.imageWrongType);
    },
  },
  {
    name: 'console-images-thread',
    async reach(stage) {
      const { page } = stage;
      await openThread(stage);
      await sendTwo(stage);
      await expectImages(page, 'out', 2);
      await page.mouse.move(0, 0);
    },
  },
  {
    name: 'console-images-uploading',
    async reach(stage) {
      const { page } = stage;
      await openThread(stage);
      await page.route(
        (url) => url.pathname.includes('/uploads/'),
        (route) => (route.request().method() === 'PUT' ? undefined : route.continue()),
      );
      await sendTwo(stage);
      await shows(page, 'of 0.');
    },
  },
];

async function sendTwo({ page }: Stage): Promise<void> {
  await pick(
    page,
    await photograph('harbour.jpg'),
    await photograph('port.jpg', { width: 300, height: 700 }),
  );
  await shows(page, 'port.jpg');
  await page.getByRole('button', { name: texts.send, exact: true }).click();
}

async function openThread({ page }: Stage): Promise<void> {
  const handler = createHandler();
  await openConversation(page, handler, await makeThread(handler.alias, 'Jonas Weber', conversation()));
}
