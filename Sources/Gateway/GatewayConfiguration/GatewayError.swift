package import ConfigurationText

/// Why a gateway cannot start; the detail says what to do.
package struct GatewayError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// An invalid option, or options that exclude each other.
        case badConfiguration
        case portTaken
        /// The address is not one of this machine, or the port is not allowed.
        case cannotBind
        /// A file of the credentials is missing, cannot be read, or has the wrong content.
        case badCredentials
        /// The certificate has expired or is not valid yet.
        case expiredCredentials
        /// The store's file is not a store, is in use, damaged, or of a newer version.
        case badStore
        /// A folder or file cannot be written.
        case cannotWrite
    }

    package var code: Code
    package var detail: String
    /// The setting whose value is wrong; nil if the error is not about one setting.
    package private(set) var setting: GatewaySetting?
    /// The path of the value in a configuration file, such as `webhooks[0]`.
    private var key: String?
    /// The detail without the name of the setting.
    private var bare: String?

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// - Parameters:
    ///   - key: The path of the value in a configuration file, if it differs from the key of the setting.
    ///   - detail: What is wrong, as a sentence that begins with the value.
    package init(_ code: Code, _ setting: GatewaySetting, key: String? = nil, _ detail: String) {
        self.init(code, "\(setting.flag) \(detail)")
        (self.setting, self.key, bare) = (setting, key ?? setting.key, detail)
    }

    /// The same error with a setting that the detail does not name.
    package func about(_ setting: GatewaySetting) -> GatewayError {
        var error = self
        (error.setting, error.key, error.bare) = (setting, setting.key, detail)
        return error
    }

    /// The same error for a value of a configuration file; nil if the value is not from that file.
    package func placed(in file: GatewayFile) -> ConfigurationError? {
        guard let key, let bare, let place = file.places[key] else { return nil }
        return ConfigurationError(file: file.name, line: place.line, column: place.column, key: key, bare)
    }

    package var description: String { detail }
}
