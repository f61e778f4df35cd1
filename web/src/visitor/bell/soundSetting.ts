import { storedSwitch } from '../../browser/storedSwitch.ts';

/** A soft sound for replies while the tab is in the background. Off until the visitor wants it. */
export const soundSetting = storedSwitch('chat_sound', false);
