public import Foundation

/// A program of this package that a test runs as a process.
public struct BuiltProgram: Sendable {
    public let file: URL

    public struct NotBuilt: Error, CustomStringConvertible {
        let name: String

        public var description: String {
            "there is no \(name) beside the tests; build it with: swift build --product \(name)"
        }
    }

    /// Beside the test bundle, wherever the build puts both.
    public init(_ name: String) throws {
        var places = [CommandLine.arguments[0]]
        if let option = CommandLine.arguments.firstIndex(of: "--test-bundle-path"),
            option + 1 < CommandLine.arguments.count
        {
            places.append(CommandLine.arguments[option + 1])
        }
        for place in places {
            var folder = URL(fileURLWithPath: place).deletingLastPathComponent()
            while folder.path != "/" {
                let file = folder.appendingPathComponent(name)
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue,
                    FileManager.default.isExecutableFile(atPath: file.path)
                {
                    self.file = file
                    return
                }
                folder.deleteLastPathComponent()
            }
        }
        throw NotBuilt(name: name)
    }
}
