/** The release of the interface and of the software. [Versioning] */
export const VERSION = '2.0.0'
