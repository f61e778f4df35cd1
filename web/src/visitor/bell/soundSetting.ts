import { storedSwitch } from '../../browser/storedSwitch.ts';

/** Plays a soft sound for replies while the tab is in the background. Off by default. */
export const soundSetting = storedSwitch('chat_sound', false);
