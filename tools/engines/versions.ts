// The one place that says which programs we run when the machine does not bring its own.
export type ProgramSource = {
  name: string;
  // Oldest version on the PATH that we accept, and how to ask for it.
  atLeast: readonly [major: number, minor: number];
  versionArgs: readonly string[];
  // Where the program is inside its maker's Docker image.
  image: string;
  imagePath: string;
  // The Go module, the hash of its content (which covers its own go.sum, and so every module
  // below it), and the package to build.
  module: string;
  version: string;
  sum: string;
  package: string;
};

export const natsServer: ProgramSource = {
  name: 'nats-server',
  atLeast: [2, 15],
  versionArgs: ['--version'],
  image: 'nats:2.15.2',
  imagePath: '/nats-server',
  module: 'github.com/nats-io/nats-server/v2',
  version: 'v2.15.2',
  sum: 'h1:yLsgt2kslgymvxvjFq1WGWck5hkat2YYfbXvQ145tzU=',
  package: '.',
};

// 4.39. SeaweedFS tags its releases in a way that Go modules cannot use, hence the commit.
export const seaweed: ProgramSource = {
  name: 'weed',
  atLeast: [4, 0],
  versionArgs: ['version'],
  image: 'chrislusf/seaweedfs:4.39',
  imagePath: '/usr/bin/weed',
  module: 'github.com/seaweedfs/seaweedfs',
  version: 'v0.0.0-20260710040814-db42bb49757b',
  sum: 'h1:0j+TRlUlnKOm2fqRymoo3WTr0gGZOqOZN8Bc1H38Mqs=',
  package: './weed',
};
