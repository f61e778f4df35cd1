import { storedSwitch } from '../../browser/storedSwitch.ts';

export const soundSetting = storedSwitch('sound', true);
/** On: closing a chat leads to the queue. Off: to the chat that has waited longest. */
export const queueAfterClosing = storedSwitch('queueAfterClosing', true);
export const keysSetting = storedSwitch('keys', true);
