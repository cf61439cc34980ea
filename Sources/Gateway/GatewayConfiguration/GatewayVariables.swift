/// The environment variables of `apns gateway` as arguments.
///
/// Each option has one: `APNS_GATEWAY_` and its name in capitals, with `_` for `-`. An empty one counts as absent.
package struct GatewayVariables: Sendable {
    /// A variable that is set, and what it stands for on the command line; empty for a flag that is switched off.
    package struct Argument: Hashable, Sendable {
        package let setting: GatewaySetting
        package let words: [String]
    }

    package private(set) var arguments: [Argument] = []
    /// Variables that begin like these, but belong to no option.
    package private(set) var unknown: [String] = []

    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// - Parameter isForReplay: A replay uses fewer settings. It ignores the others, which may be there for a gateway that
    ///   runs in the same environment.
    package init(_ environment: [String: String], isForReplay: Bool = false) throws(Failure) {
        for setting in GatewaySetting.all where setting.isForReplay || !isForReplay {
            guard let variable = setting.variable, let text = environment[variable], !text.isEmpty,
                !GatewayVariables.isOfKubernetes(variable, text)
            else { continue }
            arguments.append(Argument(setting: setting, words: try GatewayVariables.words(setting, variable, text)))
        }
        let known = Set(GatewaySetting.all.compactMap(\.variable))
        unknown = environment.keys.filter { name in
            name.hasPrefix(GatewaySetting.variablePrefix) && !known.contains(name)
                && !GatewayVariables.isOfKubernetes(name, environment[name] ?? "")
        }.sorted()
    }

    private static func words(
        _ setting: GatewaySetting, _ variable: String, _ text: String
    ) throws(Failure) -> [String] {
        switch setting.form {
        case .value: return ["\(setting.flag)=\(text)"]
        case .list:
            return text.split(separator: ",").map { "\(setting.flag)=\($0.trimmingSpaces)" }
        case .flag:
            switch text.lowercased() {
            case "true", "yes", "1": return [setting.flag]
            case "false", "no", "0": return []
            default:
                throw Failure(description: "\(variable) switches \(setting.flag) on or off; true or false is expected")
            }
        }
    }

    /// In a namespace with a service `apns-gateway`, Kubernetes gives every container variables such as
    /// `APNS_GATEWAY_PORT=tcp://10.0.0.1:8443` and `APNS_GATEWAY_SERVICE_HOST`.
    private static func isOfKubernetes(_ variable: String, _ text: String) -> Bool {
        let name = variable.dropFirst(GatewaySetting.variablePrefix.count)
        return name == "PORT" && (text.hasPrefix("tcp://") || text.hasPrefix("udp://"))
            || name.hasPrefix("PORT_") || name.hasPrefix("SERVICE_")
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}
