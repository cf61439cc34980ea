/// Why a gateway cannot start, with a sentence that says what to do.
package struct GatewayError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// An option or a pair of options that cannot be.
        case badConfiguration
        case portTaken
        /// The address is not one of this machine, or the port is not allowed.
        case cannotBind
        /// A file of the credentials is missing, cannot be read, or is not what it should be.
        case badCredentials
        /// The certificate is over or not valid yet.
        case expiredCredentials
        /// The file of the store is not one, is in use, damaged, or too new.
        case badStore
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
