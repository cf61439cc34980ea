/// Why development credentials cannot be made, read or used, with a sentence that says what to do.
package struct CredentialsError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// A file of the credentials is missing, cannot be read, or has the wrong content.
        case badCredentials
        /// A certificate has expired or is not valid yet.
        case expiredCredentials
        /// A folder or file cannot be written.
        case cannotWrite
    }

    package var code: Code
    package var detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { detail }
}
