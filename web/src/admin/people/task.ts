/** What can be done about a person, from their row. */
export type Task = 'edit' | 'newLink' | 'signOut' | 'resetFactor' | 'deactivate' | 'activate';
