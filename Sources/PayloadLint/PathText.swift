/// Paths as text; no file is looked at.
package enum PathText {
    /// The path from the root, without `.`, `..` and repeated `/`.
    ///
    /// - Parameter folder: What a relative path counts from; absolute.
    package static func absolute(_ path: String, in folder: String) -> String {
        var names: [Substring] = path.hasPrefix("/") ? [] : folder.split(separator: "/")
        for name in path.split(separator: "/") where name != "." {
            if name == ".." { _ = names.popLast() } else { names.append(name) }
        }
        return "/" + names.joined(separator: "/")
    }

    /// The folder that an absolute path lies in; that of the root is the root.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// How to get from `folder` to `path`, both absolute.
    package static func relative(_ path: String, to folder: String) -> String {
        let (names, base) = (path.split(separator: "/"), folder.split(separator: "/"))
        let shared = zip(names, base).prefix { $0 == $1 }.count
        let up = [Substring](repeating: "..", count: base.count - shared)
        let way = (up + names[shared...]).joined(separator: "/")
        return way.isEmpty ? "." : way
    }
}
