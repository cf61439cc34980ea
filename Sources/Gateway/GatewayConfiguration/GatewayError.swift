package import ConfigurationText

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

    /// What a value that cannot be was said with: an option of the command, or a key of the configuration file.
    package struct Setting: Hashable, Sendable {
        /// Without the hyphens.
        package var option: String
        /// The keys that lead to it in a file, such as `webhooks[0]`.
        package var key: String

        /// - Parameter key: Nil where the key is called as the option is.
        package init(_ option: String, key: String? = nil) {
            self.option = option
            self.key = key ?? option
        }
    }

    package var code: Code
    package var detail: String
    package private(set) var setting: Setting?
    /// The detail for whoever knows already which setting it is about.
    private var bare: String?

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// - Parameter detail: What is wrong, as a sentence that begins with the value.
    package init(_ code: Code, _ setting: Setting, _ detail: String) {
        self.init(code, "--\(setting.option) \(detail)")
        self.setting = setting
        bare = detail
    }

    /// The same with the setting that it is about, which the detail does not name.
    package func about(_ setting: Setting) -> GatewayError {
        var error = self
        (error.setting, error.bare) = (setting, detail)
        return error
    }

    /// The same about a value of a configuration file; nil where the value is not of that file.
    package func placed(in file: GatewayFile) -> ConfigurationError? {
        guard let setting, let bare, let place = file.places[setting.key] else { return nil }
        return ConfigurationError(file: file.name, line: place.line, column: place.column, key: setting.key, bare)
    }

    package var description: String { detail }
}
