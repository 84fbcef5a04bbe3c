"""Graph files."""


import numpy as np
import pytest

import repsc


@pytest.mark.parametrize("ending", ["txt", "txt.gz", "mtx", "graph", "npz", "rgraph"])
def test_graphs_come_back_from_files(tmp_path, ending):
    G = repsc.sample_planted_partition(np.arange(20) // 10, 0.6, 0.2)
    file = tmp_path / f"graph.{ending}"
    repsc.write_graph(G, file)
    again, names = repsc.read_graph(file, return_names=True)
    order = np.argsort([int(name) for name in names])
    assert (again[order][:, order] != G).nnz == 0
    with_loops = repsc.read_graph(file, self_loops="add")
    assert (with_loops.diagonal() == 1).all()


def test_rgraph_files_keep_order_names_and_weights(tmp_path):
    weights = np.array([[0, 0.1, 0], [0.1, 2, 1 / 3], [0, 1 / 3, 0]])
    repsc.write_graph(weights, tmp_path / "g.rgraph", names=["z", "a b", "7"])
    again, names = repsc.read_graph(tmp_path / "g.rgraph", self_loops="keep", return_names=True)
    assert (again.toarray() == weights).all()
    assert names == ["z", "a b", "7"]


def test_compressed_and_trusted_files_are_the_same_graph(tmp_path):
    G = repsc.sample_planted_partition(np.arange(3000) // 1000, 0.05, 0.01)
    repsc.write_graph(G, tmp_path / "g.rgraph")
    repsc.write_graph(G, tmp_path / "small.rgraph", compress=True)
    assert (tmp_path / "small.rgraph").stat().st_size < (tmp_path / "g.rgraph").stat().st_size / 2
    for name in ("g.rgraph", "small.rgraph"):
        for trusted in (False, True):
            assert (repsc.read_graph(tmp_path / name, trusted=trusted) != G).nnz == 0
    with pytest.raises(ValueError, match="compress"):
        repsc.write_graph(G, tmp_path / "g.npz", compress=True)


def test_edges_are_sorted_on_disk_where_memory_is_limited(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    G = repsc.sample_planted_partition(np.arange(3000) // 1000, 0.05, 0.01)
    repsc.write_graph(G, "g.txt")
    names = {}
    for memory in (None, 2**20):
        graph, names[memory] = repsc.read_graph("g.txt", memory=memory, return_names=True)
        order = np.argsort([int(name) for name in names[memory]])
        assert (graph[order][:, order] != G).nnz == 0
    assert names[None] == names[2**20]
    with pytest.raises(ValueError, match="memory"):
        repsc.read_graph("g.txt", memory=1)


def test_changed_rgraph_files_name_the_block(tmp_path):
    file = tmp_path / "g.rgraph"
    repsc.write_graph(np.ones((3, 3)), file)
    content = file.read_bytes()
    file.write_bytes(content[:-1])
    with pytest.raises(ValueError, match="block neighbors: the file is truncated"):
        repsc.read_graph(file)
    file.write_bytes(content[:-1] + b"?")
    with pytest.raises(ValueError, match="block neighbors: its checksum is wrong"):
        repsc.read_graph(file)


def test_files_that_cannot_be_read_say_so(tmp_path):
    with pytest.raises(OSError, match="nowhere.txt"):
        repsc.read_graph(tmp_path / "nowhere.txt")
    broken = tmp_path / "broken.mtx"
    broken.write_text("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 nonsense 1\n")
    with pytest.raises(ValueError, match=r"broken.mtx:3"):
        repsc.read_graph(broken)
    with pytest.raises(OSError):
        repsc.write_graph(np.ones((2, 2)), tmp_path / "no" / "such" / "folder.mtx")
    with pytest.raises(ValueError, match='format="hdf5": not one of auto, txt'):
        repsc.read_graph(broken, format="hdf5")
