import ConfigurationText
import Yams

extension YAMLReader {
    mutating func globs(_ node: Node, _ key: String) -> [Glob] {
        strings(node, key).compactMap { text, key, element in
            do throws(Glob.Fault) {
                return try Glob(text)
            } catch {
                report("\"\(text.prefix(60))\" is no pattern for paths: \(error)", at: element, key)
                return nil
            }
        }
    }
}
