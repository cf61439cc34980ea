import SystemFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension SigningKey {
    /// Reads the text of a `.p8` file, as configuration and deployment tools hand it on.
    ///
    /// The line ends may be the two characters `\n`, or be missing; the text may be in quotation marks; and it may be base64
    /// of the whole file or of its DER.
    ///
    /// - Throws: `KeyError`, which says what the text is instead.
    public convenience init(pem text: some StringProtocol) throws(KeyError) {
        try self.init(p8: KeyText(text.utf8).file)
    }

    /// Reads a `.p8` file, or a file with a key in one of the forms of `init(pem:)`, such as a mounted secret.
    ///
    /// - Parameter path: From the root, or from the working directory of the process. `~` is not expanded.
    /// - Throws: `KeyError`, whose detail begins with the path.
    public convenience init(path: String) throws(KeyError) {
        guard !KeyMaterial.isIn(path) else {
            throw KeyError(.unreadable, "the path is the text of a key or certificate; use SigningKey(pem:)")
        }
        let bytes: [UInt8]
        do throws(PrivateFolder.Failure) {
            bytes = try PrivateFolder.read(path, maximum: KeyText.maximumBytes)
        } catch {
            throw KeyError(unreadable: path, error)
        }
        try self.init(bytes, from: path)
    }

    /// Reads a key in one of the forms of `init(pem:)` from an environment variable.
    ///
    /// - Parameter name: The variable, such as `APNS_KEY_TEXT`. It has the key itself, not the path of a file, which is
    ///   what the command `apns` takes `APNS_KEY` for.
    /// - Throws: `KeyError`, whose detail begins with the name of the variable.
    public convenience init(environment name: String) throws(KeyError) {
        try self.init(environment: name, value: SigningKey.variable)
    }

    /// - Parameter value: The value of a variable; nil for one that is not set.
    package convenience init(environment name: String, value: (String) -> String?) throws(KeyError) {
        guard let text = value(name) else {
            throw KeyError(
                .noVariable,
                "the environment variable \(name) is not set; set it to the text of the .p8 file, or to base64 of it")
        }
        try self.init(Array(text.utf8), from: "the environment variable \(name)")
    }

    /// The value of an environment variable of this process.
    package static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// - Parameter content: The content of a file in one of the forms of `init(pem:)`. Errors say what is wrong with the file.
    package convenience init(content: [UInt8]) throws(KeyError) {
        try self.init(p8: (try? KeyText(content))?.file ?? content)
    }

    private convenience init(_ bytes: [UInt8], from source: String) throws(KeyError) {
        do throws(KeyError) {
            try self.init(p8: KeyText(bytes).file)
        } catch {
            throw KeyError(error.code, "\(source): \(error.detail)")
        }
    }
}

extension KeyError {
    fileprivate init(unreadable path: String, _ failure: PrivateFolder.Failure) {
        if failure.number == EFBIG {
            self.init(.tooLarge, "\(path) has more than \(KeyText.maximumBytes) bytes; a key has about 300")
            return
        }
        let advice =
            switch failure.number {
            case ENOENT, ENOTDIR:
                path.hasPrefix("~") ? "~ is not expanded here, so give the path from the root" : "check the path"
            case EISDIR: "name the .p8 file in it"
            case EACCES, EPERM: "let the user of this process read it"
            default: "check the file"
            }
        self.init(.unreadable, "\(path) cannot be read: \(failure); \(advice)")
    }
}
