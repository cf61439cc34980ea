/// Paths as text; no file is looked at.
package enum PathText {
    /// The path from the root, without `.`, `..` and repeated `/`.
    ///
    /// - Parameter folder: What a relative path counts from; absolute.
    package static func absolute(_ path: String, in folder: String) -> String {
        var names = path.hasPrefix("/") ? [] : PathText.names(in: folder)
        for name in PathText.names(in: path) where name != "." {
            if name == ".." { _ = names.popLast() } else { names.append(name) }
        }
        return "/" + names.joined(separator: "/")
    }

    /// The names on a path. Taken apart as bytes: characters would cost many times as much.
    private static func names(in path: String) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    }

    /// A path cut behind its last `/`; the folder is empty where it has none.
    package static func cut(_ path: String) -> (folder: Substring, name: Substring) {
        let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        return (path[..<start], path[start...])
    }

    /// The folder that an absolute path lies in; that of the root is the root.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// How to get from `folder` to `path`, both absolute.
    package static func relative(_ path: String, to folder: String) -> String {
        let (names, base) = (PathText.names(in: path), PathText.names(in: folder))
        let shared = zip(names, base).prefix { $0 == $1 }.count
        let up = [Substring](repeating: "..", count: base.count - shared)
        let way = (up + names[shared...]).joined(separator: "/")
        return way.isEmpty ? "." : way
    }
}
