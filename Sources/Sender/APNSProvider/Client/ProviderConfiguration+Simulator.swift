import APNSModel
import PayloadJSON
import ProviderToken
import SystemFiles

extension ProviderConfiguration {
    /// For the gateway simulator on this machine, with the development credentials that `apns gateway` has made.
    ///
    /// - Parameters:
    ///   - folder: Has `credentials.json`, a key and `ca.pem`. It is `certs/dev` in the folder in which the gateway was started.
    ///   - port: The port for senders.
    /// - Throws: An error that names the file that is missing or damaged.
    public static func simulator(
        credentials folder: String = "certs/dev", port: Int = 8443
    ) throws(ProviderConfigurationError) -> ProviderConfiguration {
        let name = "\(folder)/credentials.json"
        let bytes: [UInt8]
        do throws(PrivateFolder.Failure) {
            bytes = try PrivateFolder.read(name, maximum: 64 << 10)
        } catch {
            throw ProviderConfigurationError(
                detail: error.isMissing
                    ? "there is no \(name); start the gateway, which makes it: apns gateway"
                    : "\(name) cannot be read: \(error)")
        }
        do {
            let (document, path) = (try JSONDocument(bytes, maximumDepth: 4), "\(folder)/")
            func text(_ key: String) -> String {
                document.member(named: key, of: .root).flatMap { document.string(of: $0) } ?? ""
            }
            return ProviderConfiguration(
                gateway: .simulator(port: port),
                credentials: try .token(
                    path: path + text("key"), keyID: text("key-id"), teamID: text("team-id")),
                trust: try .authorities(path: path + "ca.pem"))
        } catch {
            throw ProviderConfigurationError(
                detail: "\(name) does not describe credentials: \(error); make new ones with the command "
                    + "apns credentials")
        }
    }
}
