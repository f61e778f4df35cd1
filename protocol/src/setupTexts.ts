import { consoleTexts } from './consoleTexts.ts';

/** Words of the first run: from an empty installation to the first invite. */
export const setupTexts = {
  title: 'Set up this installation',
  note: 'You’ll be its first administrator. The server printed a setup code when it started.',
  code: 'Setup code',
  codeHint: 'Lost it? settee setup code prints it again.',
  name: 'Your name',
  email: consoleTexts.signInEmail,
  password: 'Password',
  submit: 'Create administrator',
  busy: 'Creating...',
  doneTitle: 'Already set up',
  doneNote: 'This installation already has an administrator.',
  toSignIn: 'Sign in',
  loadFailed: "Couldn't reach the server.",
  stepsTitle: 'Three steps to your first chat',
  stepsProgress: '{done} of 3 done',
  profile: 'Set up profile',
  profileNote: 'The name and picture visitors see.',
  handler: 'Add a handler',
  handlerNote: 'Someone to answer your visitors.',
  invite: 'Create an invite',
  inviteNote: 'A private link for one visitor.',
  stepDone: 'Done',
  stepNext: 'Next',
} as const;
