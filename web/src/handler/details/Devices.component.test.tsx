import { expect, test } from 'vitest';
import { aChat } from '../../../test/aDesk.ts';
import { idOf } from '../../../test/idOf.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';

test('[DEVICE-03] a handler removes a device from the details', async () => {
  const jonas = aChat('Jonas Weber');
  const { id } = jonas.conversation;
  let devices = ['Chrome on Linux', 'Safari on iPhone'].map((browser, i) => ({
    id: idOf(browser),
    browser,
    joinedAt: Date.now(),
    current: false,
    first: i === 0,
  }));
  const { screen, gateway } = await renderConsole({
    path: `/handler/conversation/${id}`,
    chats: [jonas],
    answers: {
      readDevices: () => ({ devices }),
      removeDevice({ params }) {
        devices = devices.filter((device) => device.id !== params.deviceId);
        return {};
      },
    },
  });
  const details = screen.getByRole('complementary', { name: 'Details' });
  await details.getByText('Devices', { exact: true }).last().click();
  await details.getByRole('button', { name: /^Remove Safari/ }).click();
  await details.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect.element(details.getByText('Safari on iPhone')).not.toBeInTheDocument();
  await expect.element(details.getByText('Chrome on Linux')).toBeVisible();
  expect(gateway.asked('removeDevice').map(({ params }) => params)).toEqual([
    { id, deviceId: idOf('Safari on iPhone') },
  ]);
});
