/** Thrown at once if too many already wait for a connection to PostgreSQL. Nothing was done. */
export class Overloaded extends Error {
  constructor() {
    super('too many queries wait for a connection');
    this.name = 'Overloaded';
  }
}
