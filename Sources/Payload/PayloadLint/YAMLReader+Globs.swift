import APNSModel
import ConfigurationText

extension YAMLReader {
    mutating func globs(_ node: YAMLNode, _ key: String) -> [Glob] {
        strings(node, key).compactMap { text, key, element in
            do throws(Glob.PatternError) {
                return try Glob(text)
            } catch {
                report(
                    "\"\(ShownText.cut(text, to: 60))\" is not a valid pattern for paths: \(error)", at: element, key)
                return nil
            }
        }
    }
}
