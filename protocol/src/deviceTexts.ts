/** About the devices of a conversation, for visitors and staff. */
export const deviceTexts = {
  devices: 'Devices',
  devicesNote: 'These devices can read and write in this chat. A removed device is signed out at once.',
  joined: 'Another device joined',
  showDevices: 'Show devices',
  firstDevice: 'First device',
  thisDevice: 'This device',
  unknownBrowser: 'Unknown browser',
  joinedAt: 'Joined {time}',
  remove: 'Remove',
  removeOf: 'Remove {browser}',
  removed: 'Device removed',
  removeFailed: "Couldn't remove the device.",
  loadFailed: "Couldn't load the devices.",
  loading: 'Loading devices...',
  done: 'Done',
  firstHint: 'Without its first device a visitor cannot make codes. You can make one for them.',
} as const;
