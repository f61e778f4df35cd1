import { attempt } from '../chat/model/attempt.ts';

const SECONDS = 0.28;
const VOLUME = 0.05;
/** Two notes, a fourth apart. The second starts before the first has faded. */
const NOTES = [
  { hertz: 587.3, at: 0 },
  { hertz: 784, at: 0.09 },
];

export type SoftSound = { play(): void; stop(): void };

/** A generated sound, without a file to load. Browsers allow it only after the user has interacted with the page. */
export function softSound(): SoftSound {
  let audio: AudioContext | undefined;
  const gestures = new AbortController();

  function allow(): void {
    gestures.abort();
    audio = attempt(() => new AudioContext());
    // Suspended until it is needed, because a running context keeps the audio hardware active.
    void audio?.suspend().catch(() => {});
  }
  for (const gesture of ['pointerdown', 'keydown']) {
    addEventListener(gesture, allow, { signal: gestures.signal, capture: true });
  }

  return {
    play() {
      const to = audio;
      if (!to) return;
      to.resume()
        .then(() => ring(to, () => void to.suspend().catch(() => {})))
        // The tab cannot play sound now. The page title shows the same.
        .catch(() => {});
    },
    stop() {
      gestures.abort();
      void audio?.close().catch(() => {});
      audio = undefined;
    },
  };
}

function ring(audio: AudioContext, onEnd: () => void): void {
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  const start = audio.currentTime;
  for (const { hertz, at } of NOTES) oscillator.frequency.setValueAtTime(hertz, start + at);
  // Fades in and out, because an abrupt start or stop clicks.
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(VOLUME, start + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + SECONDS);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.onended = onEnd;
  oscillator.start(start);
  oscillator.stop(start + SECONDS);
}
