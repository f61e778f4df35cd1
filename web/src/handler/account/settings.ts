import { storedSwitch } from '../../browser/storedSwitch.ts';

export const soundSetting = storedSwitch('sound', true);
/** On: closing a chat opens the queue. Off: it opens the chat with the longest wait. */
export const queueAfterClosing = storedSwitch('queueAfterClosing', true);
export const keysSetting = storedSwitch('keys', true);
