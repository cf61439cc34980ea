import ArgumentParser
import ConfigurationText

/// The file of `--config`: the options of a worker, as keys without hyphens in front.
///
/// ```yaml
/// queue: redis://127.0.0.1:6379/0
/// lane: high=8,normal=3,bulk=1
/// lease: 90s
/// tenants: tenants.yaml      # relative to the folder of this file
/// ```
struct WorkerConfigFile {
    var queue: String?
    var tuning: WorkerTuning

    static let maximumBytes = 1 << 20

    init(path: String) throws(CommandError) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try InputFile.bytes(of: path, limit: WorkerConfigFile.maximumBytes)
        } catch {
            throw CommandError("\(error); it should be the configuration of a worker (docs/worker.md)")
        }
        try self.init(bytes, name: path)
    }

    init(_ bytes: [UInt8], name: String) throws(CommandError) {
        var reader = YAMLReader(file: name)
        var arguments: [String] = []
        do throws(ConfigurationError) {
            // A file without content gives no option.
            if let root = try YAMLText.read(bytes, name: name), !root.isNothing {
                for (option, key, node) in reader.members(of: root, nil, known: WorkerTuning.keys) {
                    guard let text = reader.string(node, key) else { continue }
                    switch option {
                    case "queue": queue = text
                    case "tenants": arguments.append("--tenants=\(WorkerConfigFile.resolved(text, beside: name))")
                    default:
                        do {
                            // A value of its own that begins with a hyphen would be another option.
                            let argument = "--\(option)=\(text)"
                            _ = try WorkerTuning.parse([argument])
                            arguments.append(argument)
                        } catch {
                            let lines = WorkerTuning.message(for: error).split(separator: "\n")
                            reader.report(String(lines.first ?? "it cannot be used"), at: node, key)
                        }
                    }
                }
            }
        } catch {
            throw CommandError(error.description)
        }
        guard reader.errors.isEmpty else {
            throw CommandError("\(name) cannot be used:\n" + reader.errors.map(\.description).joined(separator: "\n"))
        }
        do {
            tuning = try WorkerTuning.parse(arguments)
        } catch {
            throw CommandError("\(name) cannot be used: \(WorkerTuning.message(for: error))")
        }
    }

    /// Paths are relative to the folder of the file that has them.
    static func resolved(_ path: String, beside file: String) -> String {
        guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
        return file[...slash] + path
    }
}
